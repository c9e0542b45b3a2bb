"""From a database URL to a Peewee database that opens connections as we need them."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import peewee
from playhouse import db_url

from wikiapi.store.errors import StoreUnavailable

SQLITE_PREFIX = "sqlite:///"
MEMORY = ":memory:"

# Written into the header of every store of ours, so that a MediaWiki database is told apart
# without a query. The letters "WiAp".
APPLICATION_ID = 0x57694170

# None of these writes to the file: the journal mode, which does, is set when a store is created.
_PRAGMAS: tuple[tuple[str, object], ...] = (
    ("cache_size", -16_384),
    ("synchronous", "NORMAL"),
)

_READING: tuple[tuple[str, object], ...] = (("mmap_size", 268_435_456), ("query_only", 1))


class Dialect(StrEnum):
    """The kinds of SQL that we write."""

    SQLITE = "sqlite"
    MYSQL = "mysql"
    POSTGRES = "postgres"


# What keeps a whole session from writing; SQLite's own way is in the URI of the file.
_READING_ONLY = {
    Dialect.MYSQL: {"init_command": "SET SESSION TRANSACTION READ ONLY"},
    Dialect.POSTGRES: {"options": "-c default_transaction_read_only=on"},
}


class SqliteConnection(sqlite3.Connection):
    """A connection that can be held weakly."""


class Sqlite(peewee.SqliteDatabase):
    """SQLite with one connection per thread, all of which can be closed at once.

    A thread that ends takes its connection with it: only weak references are kept here.
    """

    def __init__(self, path: str, *, read_only: bool) -> None:
        """Take a file's path or ``:memory:``; opens nothing yet."""
        self._connections: weakref.WeakSet[SqliteConnection] = weakref.WeakSet()
        self._guard = threading.Lock()
        super().__init__(
            _sqlite_uri(path, read_only),
            pragmas=(*_PRAGMAS, *_READING) if read_only else _PRAGMAS,
            lock_type=None if read_only else "IMMEDIATE",
            uri=True,
            check_same_thread=False,
            cached_statements=512,
            factory=SqliteConnection,
            timeout=10,
        )

    def _connect(self) -> Any:
        connection = super()._connect()  # type: ignore[misc]
        with self._guard:
            self._connections.add(connection)
        return connection

    def open_connections(self) -> int:
        """How many connections are open now, over all threads."""
        with self._guard:
            return len(self._connections)

    def close_all(self) -> None:
        """Close the connections of every thread."""
        with self._guard:
            for connection in list(self._connections):
                connection.close()
            self._connections.clear()


def open_url(url: str, *, read_only: bool) -> tuple[Dialect, Any]:
    """The dialect and the Peewee database of a URL.

    Raises StoreUnavailable when the URL is malformed, its driver is not installed or the file is
    not there and must not be made.
    """
    if url.startswith("sqlite"):
        return Dialect.SQLITE, _open_sqlite(url, read_only)
    scheme = url.partition(":")[0].partition("+")[0]
    try:
        database = db_url.connect(url, unquote_password=True, unquote_user=True)
    except (RuntimeError, ValueError, ImportError, peewee.ImproperlyConfigured) as error:
        raise StoreUnavailable(f"cannot use a database of kind {scheme!r}") from error
    dialect = Dialect.MYSQL if isinstance(database, peewee.MySQLDatabase) else Dialect.POSTGRES
    if read_only:
        database.connect_params.update(_READING_ONLY[dialect])
    return dialect, database


def _open_sqlite(url: str, read_only: bool) -> Sqlite:
    if not url.startswith(SQLITE_PREFIX) or url == SQLITE_PREFIX:
        raise StoreUnavailable("a SQLite URL has the form sqlite:///PATH")
    path = url.removeprefix(SQLITE_PREFIX)
    if path == MEMORY:
        return Sqlite(path, read_only=False)
    if read_only and not Path(path).is_file():
        raise StoreUnavailable(f"no database file at {path}")
    if not read_only:
        _create_private(path)
    return Sqlite(path, read_only=read_only)


def _create_private(path: str) -> None:
    """Make the file readable by its owner only, before SQLite would make it for everyone."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreUnavailable(f"cannot create {path}: {error.strerror}") from error


def _sqlite_uri(path: str, read_only: bool) -> str:
    if path == MEMORY:
        # Named, so that all threads see one database; it is gone with its last connection.
        return f"file:/wikiapi-{uuid4().hex}?vfs=memdb"
    location = quote(str(Path(path).absolute()))
    if not read_only:
        return f"file:{location}?mode=rw"
    return f"file:{location}?mode=ro{'&immutable=1' if _is_idle_wal(path) else ''}"


def _is_idle_wal(path: str) -> bool:
    """Whether opening the file, even for reading, would make new files beside it for nothing.

    SQLite does that for a database in WAL mode (https://www.sqlite.org/fileformat.html). One that
    nobody has open at the moment is read as it lies if it is none of ours, or if no file can be
    made there. Changes made to it from then on are not seen.
    """
    with Path(path).open("rb") as file:
        header = file.read(100)
    wal = header[18:20] == b"\x02\x02"
    ours = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    if not wal or Path(path + "-wal").exists():
        return False
    return not ours or not os.access(Path(path).absolute().parent, os.W_OK)
