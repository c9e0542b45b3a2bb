"""Column types, written in each database as MediaWiki writes them.

``sql_type`` is the usual name of a type; the dialect of an engine (``engines.dialect``) has those
that the engine writes otherwise.

Titles, texts and timestamps are ``str`` on this side whatever the database keeps: on SQLite they
are TEXT values in columns declared BLOB (only ``str`` ever compares equal to them), on MariaDB
byte strings. Timestamps are MediaWiki's 14 digits (``20240131235959``, UTC).
"""

from __future__ import annotations

from typing import Any, ClassVar

import peewee

_NO_DEFAULT = object()


class Column(peewee.Field):
    """A column of MediaWiki's. ``default`` is the SQL default; a nullable one defaults to NULL."""

    sql_type: ClassVar[str]
    """The type in the databases whose dialect has none of its own for the class."""
    needs_repair: ClassVar[bool] = False

    def __init__(self, *, null: bool = False, default: Any = _NO_DEFAULT, key: bool = False):
        """Create the column; ``key`` makes it the whole primary key of its table."""
        self.sql_default = default if default is not _NO_DEFAULT or not null else None
        known = None if self.sql_default is _NO_DEFAULT else self.sql_default
        super().__init__(null=null, default=known, primary_key=key)

    @property
    def has_default(self) -> bool:
        """Whether the table itself supplies a value."""
        return self.sql_default is not _NO_DEFAULT

    @staticmethod
    def repair(value: Any) -> Any:
        """Undo what a database does to values of this type; see ``needs_repair``."""
        return value


class Number(Column):
    """Base of the integers."""

    def adapt(self, value: Any) -> int | None:
        return None if value is None else int(value)


class Int(Number):
    """A signed integer, 32 bits at least."""

    sql_type = "INTEGER"


class UInt(Number):
    """An integer from 0, 32 bits at least."""

    sql_type = "INTEGER UNSIGNED"


class BigInt(Number):
    """A signed integer of 64 bits."""

    sql_type = "BIGINT"


class BigUInt(Number):
    """An integer from 0, 64 bits."""

    sql_type = "BIGINT UNSIGNED"


class Small(Number):
    """A signed integer of 16 bits, or a flag."""

    sql_type = "SMALLINT"


class USmall(Number):
    """An integer from 0 of 16 bits, or a flag."""

    sql_type = "SMALLINT UNSIGNED"


class Serial(Number):
    """A primary key that the database numbers itself."""

    sql_type = "INTEGER"
    auto_increment = True

    def __init__(self) -> None:
        super().__init__(key=True)


class Double(Column):
    """A floating-point number."""

    sql_type = "DOUBLE PRECISION"


class Text(Column):
    """Base of everything that is ``str`` on this side."""

    def adapt(self, value: Any) -> str | None:
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return None if value is None else str(value)


class Binary(Text):
    """MediaWiki's VARBINARY: titles, names and other short texts that may stand in an index."""

    sql_type = "VARBINARY({0.length})"

    def __init__(self, length: int = 255, **options: Any) -> None:
        """Create the column; ``length`` is in bytes of UTF-8 and matters only on MariaDB."""
        self.length = length
        super().__init__(**options)


class Chars(Text):
    """A VARCHAR in every database."""

    sql_type = "VARCHAR({0.length})"

    def __init__(self, length: int, **options: Any) -> None:
        self.length = length
        super().__init__(**options)


class Word(Text):
    """One of a few fixed words: TEXT on SQLite, where MariaDB has an ENUM."""

    sql_type = "TEXT"


class Long(Text):
    """A text of any length that is never compared."""

    sql_type = "BLOB"


class Timestamp(Text):
    """Fourteen digits, or a word such as ``infinity`` where an expiry may be one."""

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
    """Bytes that may be anything; comes back as the driver has it, ``bytes`` or ``str``."""

    sql_type = "BLOB"
