"""What can go wrong with a store, in terms that do not depend on the driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw
import peewee

from wikiapi.errors import (
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTimeout,
    StoreUnavailable,
    StoreValueError,
)

DRIVER_ERRORS: tuple[type[Exception], ...] = (apsw.Error, peewee.PeeweeException)
"""What SQLite and Peewee raise."""

VALUE_ERRORS: tuple[type[Exception], ...] = (OverflowError, ValueError)
"""What is raised for a value that cannot be bound: a number beyond 64 bits, a lone surrogate."""

_BY_TEXT: tuple[tuple[str, type[StoreError]], ...] = (
    ("interrupted", StoreTimeout),
    ("statement timeout", StoreTimeout),
    ("max_statement_time", StoreTimeout),
    ("readonly", StoreReadOnly),
    ("read-only", StoreReadOnly),
    ("read only", StoreReadOnly),
    ("unable to open", StoreUnavailable),
    ("is locked", StoreUnavailable),
    ("closed", StoreUnavailable),
    ("gone away", StoreUnavailable),
    ("lock wait timeout", StoreUnavailable),
    ("lock timeout", StoreUnavailable),
    ("deadlock", StoreUnavailable),
    ("nul (0x00)", StoreValueError),
    ("connect", StoreUnavailable),
    ("is full", StoreFull),
    ("disk i/o error", StoreFull),
    ("no space left", StoreFull),
    ("could not extend file", StoreFull),
    ("not a database", StoreCorrupt),
    ("malformed", StoreCorrupt),
)


# Exceptions of drivers that may not be installed, and so cannot be imported.
_DRIVERS = frozenset({"psycopg", "pymysql"})


@contextmanager
def translating() -> Iterator[None]:
    """Turn drivers' errors within the block into errors of ours; all others pass."""
    try:
        yield
    except Exception as error:
        if is_of_driver(error):
            raise translate(error) from error
        raise


def translate(error: Exception) -> StoreError:
    """The error of ours that a driver's error stands for; raise it ``from`` the original."""
    text = str(error)
    if isinstance(error, VALUE_ERRORS):
        return StoreValueError(text)
    lowered = text.lower()
    for fragment, kind in _BY_TEXT:
        if fragment in lowered:
            return kind(text)
    # A connection of PyMySQL's that was closed on this side says nothing but this.
    is_closed = type(error).__name__ == "InterfaceError"
    return StoreUnavailable("the connection is closed") if is_closed else StoreError(text)


def is_of_driver(error: Exception) -> bool:
    """Whether an error comes from a driver or from Peewee."""
    named = type(error).__module__.partition(".")[0] in _DRIVERS
    return named or isinstance(error, DRIVER_ERRORS)
