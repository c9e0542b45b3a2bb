"""Column types, which are declared in each database as MediaWiki declares them.

``sql_type`` is the usual SQL type of a class; the dialects of the engines (``engines.dialect``)
have those that differ.

In Python, titles, texts and timestamps are always ``str``. SQLite stores them as TEXT values in
columns declared BLOB, which only compare equal to ``str``; MariaDB stores byte strings. Timestamps
are MediaWiki's 14 digits (``20240131235959``, UTC).
"""

from __future__ import annotations

from typing import Any, ClassVar

import peewee

_NO_DEFAULT = object()


class Column(peewee.Field):
    """Base of the column types. ``default`` is the SQL default; for nullable columns it is NULL."""

    sql_type: ClassVar[str]
    """The SQL type, unless the dialect has another one for the class."""
    needs_repair: ClassVar[bool] = False
    """Whether values that are read must be passed to :meth:`repair`."""

    def __init__(self, *, null: bool = False, default: Any = _NO_DEFAULT, key: bool = False):
        """Create the column; ``key`` makes it the whole primary key of its table."""
        self.sql_default = default if default is not _NO_DEFAULT or not null else None
        peewee_default = None if self.sql_default is _NO_DEFAULT else self.sql_default
        super().__init__(null=null, default=peewee_default, primary_key=key)

    @property
    def has_default(self) -> bool:
        """Whether the table itself supplies a value."""
        return self.sql_default is not _NO_DEFAULT

    @staticmethod
    def repair(value: Any) -> Any:
        """Return a value that was read as it was written; see ``needs_repair``."""
        return value


class Number(Column):
    """Base of the integer types."""

    def adapt(self, value: Any) -> int | None:
        return None if value is None else int(value)


class Int(Number):
    """A signed integer of at least 32 bits."""

    sql_type = "INTEGER"


class UInt(Number):
    """An unsigned integer of at least 32 bits."""

    sql_type = "INTEGER UNSIGNED"


class BigInt(Number):
    """A signed integer of 64 bits."""

    sql_type = "BIGINT"


class BigUInt(Number):
    """An unsigned integer of 64 bits."""

    sql_type = "BIGINT UNSIGNED"


class Small(Number):
    """A signed integer of 16 bits, or a flag."""

    sql_type = "SMALLINT"


class USmall(Number):
    """An unsigned integer of 16 bits, or a flag."""

    sql_type = "SMALLINT UNSIGNED"


class Serial(Number):
    """An auto-increment primary key."""

    sql_type = "INTEGER"
    auto_increment = True

    def __init__(self) -> None:
        super().__init__(key=True)


class Double(Column):
    """A floating-point number."""

    sql_type = "DOUBLE PRECISION"


class Text(Column):
    """Base of the types whose values are ``str`` in Python."""

    def adapt(self, value: Any) -> str | None:
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return None if value is None else str(value)


class Binary(Text):
    """MediaWiki's VARBINARY: titles, names and other short texts that can be indexed."""

    sql_type = "VARBINARY({0.length})"

    def __init__(self, length: int = 255, **options: Any) -> None:
        """Create the column; ``length`` is in bytes of UTF-8 and matters only on MariaDB."""
        self.length = length
        super().__init__(**options)


class Chars(Text):
    """A text that is a VARCHAR in every database."""

    sql_type = "VARCHAR({0.length})"

    def __init__(self, length: int, **options: Any) -> None:
        self.length = length
        super().__init__(**options)


class Word(Text):
    """One of a few fixed words: MediaWiki's ENUM on MariaDB, TEXT on SQLite."""

    sql_type = "TEXT"


class Long(Text):
    """A text of any length that is never compared."""

    sql_type = "BLOB"


class Timestamp(Text):
    """A timestamp of 14 digits, or ``infinity`` for an expiry that never comes."""

    sql_type = "VARBINARY(14)"


class DateTime(Text):
    """The one timestamp column declared DATETIME; SQLite turns its digits into a number."""

    sql_type = "DATETIME"

    needs_repair = True

    @staticmethod
    def repair(value: Any) -> str | None:
        if value is None:
            return None
        text = str(value)
        return text if text.isdigit() else "".join(filter(str.isdigit, text))


class Payload(Column):
    """Arbitrary bytes; read as the driver returns them, as ``bytes`` or ``str``."""

    sql_type = "BLOB"


class SortKey(Payload):
    """Bytes that are compared and sorted.

    Read with ``sql.nodes.RawBytes``, compared with ``queries.categories.sort_key_value``. In
    SQLite these are TEXT values, as MediaWiki stores keys that are texts, since a value of another
    type would be sorted before or after all of them.
    """

    sql_type = "VARBINARY({0.length})"

    def __init__(self, length: int, **options: Any) -> None:
        """Create the column; ``length`` is in bytes and matters only on MariaDB."""
        self.length = length
        super().__init__(**options)
