"""Parses the SQL of a table dump as a stream: the table, its columns, and row after row.

The syntax is that of mysqldump and mariadb-dump
(https://dev.mysql.com/doc/refman/8.4/en/string-literals.html). An INSERT statement may be of any
length, since only one of its rows is in memory at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from wikiapi.errors import DumpError

Values = tuple[bytes, ...]


# All quantifiers are possessive, so that a text that does not match fails without backtracking.
_TEXT = rb"'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'"
_VALUE = (
    rb"(NULL|[-+]?[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?|\.[0-9]++|0x[0-9A-Fa-f]++"
    rb"|(?:_binary )?" + _TEXT + rb")"
)
_BLANK = re.compile(rb"(?:[ \t\r\n;]++|--[^\n]*+(?:\n|\Z)|#[^\n]*+(?:\n|\Z)|/\*(?s:.*?)\*/)++")
_INSERT = re.compile(
    rb"INSERT\s++(?:IGNORE\s++)?INTO\s++`([^`]{1,64})`\s*+(?:\(([^)]*+)\)\s*+)?VALUES\s*+(?=\()"
)
_CREATE = re.compile(rb"CREATE\s++TABLE\s++(?:IF\s++NOT\s++EXISTS\s++)?`([^`]{1,64})`\s*+\(")
_STATEMENT = re.compile(
    rb"(?:[^'\"`;]++|" + _TEXT + rb'|"(?:[^"\\]++|\\.|"")*+"|`[^`]*+`)*+;', re.DOTALL
)
_COLUMN = re.compile(rb"^[ \t\r]*+`([^`]{1,64})`\s", re.MULTILINE)
_NAME = re.compile(rb"`([^`]{1,64})`")
_ANY_ROW = re.compile(rb"\s*+\((?:[^'()]++|" + _TEXT + rb")*+\)\s*+[,;]", re.DOTALL)
_MAX_COLUMNS = 64


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the dump: its name, and the columns of its rows in their order."""

    name: str
    columns: tuple[str, ...]


class TableReader:
    """Reads the dump of one table."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Read from chunks of unpacked bytes."""
        self._window = Window(chunks)
        self._created: Table | None = None

    def rows(self, skip: int = 0) -> Iterator[tuple[Table, Values]]:
        """Yield every row with its table; the values are SQL literals.

        Args:
            skip: how many rows to skip at the start, without parsing their values.

        Raises:
            DumpError: the file is not a table dump, or a row does not match its table.
        """
        passed = 0
        while self._window.skip(_BLANK):
            insert = self._window.match_now(_INSERT)
            if insert is None:
                self._read_statement()
                continue
            table = self._inserted(insert)
            row = _row_pattern(len(table.columns))
            more = True
            while more:
                pattern = _ANY_ROW if passed < skip else row
                match = self._window.match(pattern)
                if match is None:
                    raise self._window.refuse(
                        f"row {passed + 1} does not have the form of the table {table.name!r}"
                    )
                more = b"," in match.group()[-1:]
                passed += 1
                if passed > skip:
                    yield table, match.groups()

    def table(self) -> Table | None:
        """Return the table of the first CREATE TABLE statement, or None if the file has none."""
        while self._created is None and self._window.skip(_BLANK):
            self._read_statement()
        return self._created

    def _read_statement(self) -> None:
        window = self._window
        created = window.peek(_CREATE)
        match = window.match(_STATEMENT)
        if match is None:
            raise window.refuse("this is not a table dump")
        if created:
            columns = tuple(map(_decoded, _COLUMN.findall(match.group())))
            if not 0 < len(columns) <= _MAX_COLUMNS:
                raise window.refuse(
                    f"the table {_decoded(created[1])!r} has {len(columns)} columns"
                )
            self._created = Table(_decoded(created[1]), columns)

    def _inserted(self, match: re.Match[bytes]) -> Table:
        name, listed = _decoded(match[1]), match[2]
        if self._created is None or self._created.name != name:
            raise self._window.refuse(f"rows of the table {name!r} come before it is created")
        if listed is None:
            return self._created
        columns = tuple(map(_decoded, _NAME.findall(listed)))
        if not columns:
            raise self._window.refuse(f"rows of the table {name!r} have no columns")
        if unknown := set(columns) - set(self._created.columns):
            raise self._window.refuse(f"the table {name!r} has no column {min(unknown)!r}")
        return Table(name, columns)


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "replace")


@cache
def _row_pattern(columns: int) -> re.Pattern[bytes]:
    values: Sequence[bytes] = [_VALUE] * columns
    return re.compile(rb"\s*+\(" + rb",\s*+".join(values) + rb"\)\s*+[,;]", re.DOTALL)


LONGEST = 1 << 24
"""The largest size in bytes of a row, or of a statement other than INSERT."""
AHEAD = 1 << 20


class Window:
    """The bytes of a stream that have been read but not consumed, at most a few megabytes."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Read from these chunks."""
        self._chunks = chunks
        self._data = b""
        self._at = 0
        self._ended = False
        self._used = 0

    @property
    def position(self) -> int:
        """How many unpacked bytes have been consumed."""
        return self._used + self._at

    def match(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Consume and return the match of a pattern here; return None if it does not match.

        The pattern must end with a byte that shows that the match is complete. More is read until
        it matches, twice as much each time, so the time is linear in the length of the match.
        """
        while True:
            match = self.match_now(pattern)
            have = len(self._data) - self._at
            if match is not None or have >= LONGEST or not self.read_ahead(max(AHEAD, 2 * have)):
                return match

    def peek(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Return the match in the bytes read so far, without consuming it."""
        return pattern.match(self._data, self._at)

    def match_now(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Consume and return the match in the bytes read so far, or return None."""
        match = self.peek(pattern)
        self._at = match.end() if match else self._at
        return match

    def skip(self, pattern: re.Pattern[bytes]) -> bool:
        """Consume matches of a pattern; return whether any bytes follow."""
        while self.read_ahead(AHEAD) or self._at < len(self._data):
            match = pattern.match(self._data, self._at)
            if match is None or match.end() == self._at:
                break
            self._at = match.end()
        return self._at < len(self._data)

    def read_ahead(self, size: int) -> bool:
        """Read until ``size`` bytes are unconsumed, or to the end; return whether any were read."""
        if self._ended or len(self._data) - self._at >= size:
            return False
        parts, have = [self._data[self._at :]], len(self._data) - self._at
        before = have
        for chunk in self._chunks:
            parts.append(chunk)
            have += len(chunk)
            if have >= size:
                break
        else:
            self._ended = True
        self._used += self._at
        self._data, self._at = b"".join(parts), 0
        return have > before

    def quoted(self) -> str:
        """Return the next few bytes, for an error message."""
        return repr(self._data[self._at : self._at + 40].decode("utf-8", "replace"))

    def refuse(self, problem: str) -> DumpError:
        """Return an error that describes a problem and shows the next bytes."""
        if self._ended and len(self._data) - self._at < LONGEST:
            return DumpError(f"{problem}, or the file ends too early: {self.quoted()}")
        return DumpError(f"{problem}: {self.quoted()}")
