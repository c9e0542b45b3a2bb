"""Records of the statements that a thread runs, with the function that runs them."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType

LONGEST_VALUE = 200

_CREDENTIALS = re.compile(r"\b(?:objectcache|(?:user|bp)_(?:new)?(?:password|token))\b")
"""Matches statements that may contain session ids, session data or password hashes."""
_PLACEHOLDER = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\?|%s""")
_OWN_MODULES = frozenset(
    {
        "wikiapi.api.query.module",
        "wikiapi.store.sql.batches",
        "wikiapi.store.sql.compiled",
        "wikiapi.store.database",
        "wikiapi.store.recording",
        "wikiapi.store.running",
        "wikiapi.store.sql.statements",
        "contextlib",
        "peewee",
    }
)


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """A statement that has been run.

    Attributes:
        statement: its SQL with placeholders, whose values are ``params``.
        function: the API module and the function that runs the query, such as
            ``list=allpages (wikiapi_plugins...AllPages.execute)``; outside of requests only the
            function.
        time: how long it took, in seconds.
    """

    statement: str
    params: Sequence[object]
    function: str
    time: float

    @property
    def sql(self) -> str:
        """The statement with its values filled in, for people to read; long values are shortened.

        Statements whose values may be credentials keep their placeholders.
        """
        if _CREDENTIALS.search(self.statement):
            return self.statement
        return interpolate(self.statement, self.params)


def record(sql: str, params: Sequence[object], seconds: float, module: str) -> QueryRecord:
    """Return a record of a statement that the calling thread has just run for a module."""
    function = calling_function()
    return QueryRecord(sql, params, f"{module} ({function})" if module else function, seconds)


def interpolate(sql: str, params: Sequence[object]) -> str:
    """Return SQL with its parameters filled in, for people to read: long values are shortened."""
    values = iter(params)

    def fill(match: re.Match[str]) -> str:
        return literal(next(values, "?")) if match[0] in {"?", "%s"} else match[0]

    return _PLACEHOLDER.sub(fill, sql)


def literal(value: object) -> str:
    """Return a value as it would be written in SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, int | float):
        # Python refuses to convert very large integers to decimal digits, but not to hexadecimal.
        # Such a number has not reached the database.
        return _shortened(hex(value) if isinstance(value, int) and abs(value) >> 64 else str(value))
    if isinstance(value, bytes):
        return f"x'{_shortened(value.hex())}'"
    quoted = _shortened(str(value)).replace("'", "''")
    return f"'{quoted}'"


def calling_function() -> str:
    """Return the dotted name of the nearest function that is not part of the database layer."""
    frame = sys._getframe(1)
    while frame.f_back and not _is_caller(frame):
        frame = frame.f_back
    return f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}"


def _is_caller(frame: FrameType) -> bool:
    """Return whether a frame is of a function outside the database layer.

    Comprehensions and lambdas are not counted; the function around them is found instead.
    """
    nameless = frame.f_code.co_name.startswith("<") and frame.f_code.co_name != "<module>"
    return not nameless and frame.f_globals.get("__name__") not in _OWN_MODULES


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."
