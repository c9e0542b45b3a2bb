"""What can go wrong with a store, in terms that do not depend on the driver."""

from __future__ import annotations

import sqlite3

import peewee

from wikiapi.errors import StoreError


class StoreUnavailable(StoreError):
    """The database cannot be reached: no such file, no driver, refused, locked or closed."""


class StoreTimeout(StoreError):
    """A statement ran past the deadline of its request and was interrupted."""


class StoreReadOnly(StoreError):
    """Something tried to write to a database that was opened for reading only."""


class StoreValueError(StoreError):
    """A value cannot be stored or compared: an integer beyond 64 bits, a lone surrogate."""


class StoreVersionError(StoreError):
    """The store's layout is newer than this code, or is none of ours."""


class StoreCorrupt(StoreError):
    """The database contradicts itself, or holds content in a form that is not supported."""


DRIVER_ERRORS: tuple[type[Exception], ...] = (sqlite3.Error, peewee.PeeweeException)
"""What SQLite and Peewee raise."""

STATEMENT_ERRORS: tuple[type[Exception], ...] = (*DRIVER_ERRORS, OverflowError, ValueError)
"""The same, and what a value causes that cannot be bound: a number beyond 64 bits, a lone
surrogate, on PostgreSQL a NUL within a text."""

_BY_TEXT: tuple[tuple[str, type[StoreError]], ...] = (
    ("interrupted", StoreTimeout),
    ("statement timeout", StoreTimeout),
    ("max_statement_time", StoreTimeout),
    ("readonly", StoreReadOnly),
    ("read-only", StoreReadOnly),
    ("unable to open", StoreUnavailable),
    ("is locked", StoreUnavailable),
    ("closed", StoreUnavailable),
    ("connect", StoreUnavailable),
    ("not a database", StoreCorrupt),
    ("malformed", StoreCorrupt),
)


# Exceptions of drivers that may not be installed, and so cannot be imported.
_DRIVERS = frozenset({"psycopg2", "psycopg", "pymysql", "MySQLdb"})


def is_driver_error(error: Exception) -> bool:
    """Whether an exception that is none of DRIVER_ERRORS comes from a driver nevertheless."""
    return type(error).__module__.partition(".")[0] in _DRIVERS


def translate(error: Exception) -> StoreError:
    """The error of ours that a driver's error stands for; raise it ``from`` the original."""
    text = str(error)
    if isinstance(error, OverflowError | ValueError):
        return StoreValueError(text)
    if isinstance(error, peewee.ImproperlyConfigured):
        return StoreUnavailable(f"{text} {_driver_hint(text)}".rstrip())
    lowered = text.lower()
    for fragment, kind in _BY_TEXT:
        if fragment in lowered:
            return kind(text)
    return StoreError(text)


def _driver_hint(text: str) -> str:
    """Which package to install, from Peewee's complaint."""
    for kind, package in (("MySQL", "PyMySQL"), ("Postgres", "psycopg2-binary")):
        if kind in text:
            return f"Install the package {package}."
    return ""
