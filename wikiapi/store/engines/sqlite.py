"""SQLite, through APSW, with a connection for each thread."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar
from urllib.parse import quote
from uuid import uuid4

import apsw
import peewee

from wikiapi.errors import StoreBusy, StoreCorrupt, StoreFull, StoreTimeout, StoreUnavailable
from wikiapi.store.engines.base import Connections, Engine, Session
from wikiapi.store.engines.dialect import BoundStatement, Dialect, Insertion
from wikiapi.store.fields import Binary, SortKey, Timestamp
from wikiapi.store.sql.statements import Row, decode
from wikiapi.store.turns import POLL_SECONDS, Turnstile

PREFIX = "sqlite:///"
MEMORY = ":memory:"

# The letters "WiAp", written into the header of every store of wikiapi, so that MediaWiki's
# databases can be told apart without a query.
APPLICATION_ID = 0x57694170

# None of these writes to the file. The journal mode does, so it is set when a store is created.
# With FULL, commits survive a power failure (https://www.sqlite.org/pragma.html). With NORMAL, the
# last ones may be lost, but not the changes of uploaded files that followed them.
_PRAGMAS = ("PRAGMA cache_size = -16384", "PRAGMA synchronous = FULL")
# The file is not mapped into memory: if another process truncated it, the system would kill this
# one. Without mapping, looking up 50 random titles among a million pages takes a tenth longer, and
# looking up one title takes no longer.
_READING = ("PRAGMA mmap_size = 0", "PRAGMA query_only = 1")

# The mode is part of the URI; the flags must allow every mode that it may contain.
_FLAGS = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_STATEMENTS = 512

BUSY_SECONDS = 10.0
"""Seconds to wait for another process that has locked the file."""

_REPLACED = "the database file is gone or was replaced: start again"
_SECONDS_PER_LOOK = 1.0
"""Seconds between checks whether the file is still the same."""

# The number of virtual-machine steps between two checks of the deadline: about a millisecond.
_STEPS_PER_LOOK = 20_000


# In pages of 4 KiB: while loading, the write-ahead log may grow to 64 MiB before a checkpoint.
_LOADING_CHECKPOINT = 16_384
_USUAL_CHECKPOINT = 1_000


class SqliteDialect(Dialect):
    """The SQL dialect of SQLite."""

    name = "sqlite"
    peewee_database = peewee.SqliteDatabase(None)
    full_text_indexes = MappingProxyType(
        {
            "fts5": "wikiapi.store.engines.fts:Fts5",
            "fts3": "wikiapi.store.engines.fts:Fts3",
        }
    )
    searches_mediawiki = True

    placeholder = "?"
    sort_key_of_bytes = "CAST({} AS TEXT)"
    mediawiki_keeps_type_of_nulls = True
    text_id_of_address = "CAST(SUBSTR({}, 4) AS BIGINT)"

    column_types: ClassVar = {Binary: "BLOB", SortKey: "BLOB", Timestamp: "BLOB"}
    serial_ending = " PRIMARY KEY AUTOINCREMENT NOT NULL"
    numbering_table = "sqlite_sequence"

    list_tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
    list_kinds = (
        "SELECT name, type FROM pragma_table_list"
        " WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    list_key = "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk"
    list_columns = "SELECT name, type FROM pragma_table_info(?)"
    list_all_columns = (
        "SELECT m.name, p.name, p.type FROM sqlite_master m JOIN pragma_table_info(m.name) p"
        " WHERE m.type IN ('table', 'view')"
    )
    list_indexes = "SELECT tbl_name, name FROM sqlite_master WHERE type = 'index'"
    full_text_declaration = "SELECT sql FROM sqlite_master WHERE name = 'searchindex'"

    insert_verbs: ClassVar = {
        "error": "INSERT",
        "ignore": "INSERT OR IGNORE",
        "replace": "INSERT OR REPLACE",
    }
    count_up = (
        "INSERT INTO updatelog (ul_key, ul_value) VALUES (?, '1') ON CONFLICT (ul_key)"
        " DO UPDATE SET ul_value = CAST(updatelog.ul_value + 1 AS TEXT)"
    )
    # SQLite opens any file; only the first query fails if it is not a database.
    probe = "SELECT 1 FROM sqlite_master LIMIT 1"
    server_version = "SELECT sqlite_version()"
    explain = "EXPLAIN QUERY PLAN"
    before_first_migration = (
        f"PRAGMA application_id = {APPLICATION_ID}",
        "PRAGMA journal_mode = WAL",
    )
    relax_commits = "PRAGMA synchronous = NORMAL"
    restore_commits = "PRAGMA synchronous = FULL"
    before_loading = (f"PRAGMA wal_autocheckpoint = {_LOADING_CHECKPOINT}",)
    after_loading = (f"PRAGMA wal_autocheckpoint = {_USUAL_CHECKPOINT}",)

    def definition_of(self, table: str) -> BoundStatement:
        """Return a query for the statements with which the table and its indexes were created."""
        sql = (
            "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL"
            " AND type IN ('table', 'index') ORDER BY type = 'index'"
        )
        return sql, (table,)

    def last_number(self, table: str, column: str) -> BoundStatement:
        """Return a query of the table that SQLite keeps."""
        return "SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)

    def number_after(self, table: str, column: str, last: int) -> list[BoundStatement]:
        """Return statements that replace the row of the table that SQLite keeps."""
        return [
            ("DELETE FROM sqlite_sequence WHERE name = ?", (table,)),
            ("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last)),
        ]

    def bytes_of(self, node: Any) -> str:
        """Return a cast, because a column of any type may contain texts."""
        return "CAST({} AS BLOB)"

    def plan_lines(self, rows: Iterable[Sequence[Any]]) -> list[str]:
        """Return the steps, each indented below its parent."""
        depths = {0: -1}
        lines = []
        for step, parent, _, detail in rows:
            depths[step] = depths[parent] + 1
            lines.append("  " * depths[step] + str(detail))
        return lines


class SqliteEngine(Engine):
    """A SQLite database, in a file or in memory."""

    dialect = SqliteDialect()
    driver = "apsw"
    error_texts = (
        ("interrupted", StoreTimeout),
        ("is locked", StoreBusy),
        ("disk i/o error", StoreFull),
        ("not a database", StoreCorrupt),
        ("malformed", StoreCorrupt),
    )
    trusted = True

    def __init__(self, url: str, *, read_only: bool) -> None:
        """Take ``sqlite:///PATH``; creates the file if it does not exist, unless ``read_only``.

        Raises StoreUnavailable for a malformed URL, and for a missing file with ``read_only``.
        """
        if not url.startswith(PREFIX) or url == PREFIX:
            raise StoreUnavailable("a SQLite URL has the form sqlite:///PATH")
        path = url.removeprefix(PREFIX)
        if path != MEMORY:
            if not read_only:
                _create_private(path)
            elif not Path(path).is_file():
                raise StoreUnavailable(f"no database file at {Path(path).absolute()}")
            # For a file that cannot be written, SQLite would fail at the first statement.
            read_only = read_only or not _may_write(Path(path))
        writing = path == MEMORY or not read_only
        self.begin = "BEGIN IMMEDIATE" if writing else "BEGIN"
        self._uri = _uri(path, read_only)
        self._path = None if path == MEMORY else Path(path)
        self._is_immutable = "immutable=1" in self._uri
        self._file = self._identity()
        self._is_replaced = False
        self._next_look = time.monotonic() + _SECONDS_PER_LOOK
        self._pragmas = _PRAGMAS if writing else (*_PRAGMAS, *_READING)
        shares = writing and self._path is not None
        self._turnstile = Turnstile(Path(path).absolute().parent) if shares else None

    def connect(self) -> Session:
        """Open a connection that any thread may close.

        Raises StoreUnavailable if the file has been replaced: threads must not answer from
        different files, and data of the first one is cached.
        """
        if self._identity() != self._file:
            raise StoreUnavailable(_REPLACED)
        connection = apsw.Connection(self._uri, _FLAGS, statementcachesize=_STATEMENTS)
        # Query plans must not depend on values: SQLite would prepare most statements again for new
        # values.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        session = Session(connection)
        connection.set_busy_handler(_patience(weakref.ref(session)))
        for pragma in self._pragmas:
            connection.execute(pragma)
        return session

    def close(self) -> None:
        """Close what processes wait at."""
        if self._turnstile:
            self._turnstile.close()

    def waiting_to_begin(self, moment: float | None) -> AbstractContextManager[None]:
        """Return a context manager in which no other process waits for the file's lock.

        Raises:
            StoreBusy: another process has been waiting until ``moment`` of the monotonic clock.
        """
        return self._turnstile.turn(moment) if self._turnstile else nullcontext()

    def is_replaced(self) -> bool:
        """Return whether another file is now at the path; the value may be a second old.

        A missing file does not count: it may come back, and open connections continue to use it.
        """
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + _SECONDS_PER_LOOK
            self._is_replaced = self._identity() not in (self._file, None)
        return self._is_replaced

    def _identity(self) -> tuple[int, ...] | None:
        if self._path is None:
            return None
        try:
            status = self._path.stat()
        except OSError:
            return None
        # SQLite does not look for changes in a file that was opened as immutable.
        changes = (status.st_size, status.st_mtime_ns) if self._is_immutable else ()
        return status.st_dev, status.st_ino, *changes

    def connections(self, size: int) -> ThreadConnections:
        """Return one connection for each thread, without a limit, because they cost very little."""
        return ThreadConnections(self)

    def limit(self, session: Session, moment: float | None) -> None:
        """Make SQLite check the clock about every millisecond of work."""
        if session.limit == moment:
            return
        if moment is None:
            session.connection.set_progress_handler(None, 0)
        else:
            late = moment
            session.connection.set_progress_handler(
                lambda: time.monotonic() > late, _STEPS_PER_LOOK
            )
        session.limit = moment

    def fetch(self, connection: Any, sql: str, params: Sequence[Any]) -> list[Row]:
        """Return the rows; texts that are not UTF-8 get replacement characters."""
        try:
            # Nearly every statement is run here, and the connection's own cursor saves a call.
            rows: list[Row] = connection.execute(sql, params).fetchall()
        except UnicodeDecodeError:
            rows = _repaired(connection, sql, params)
        return rows

    def write(self, connection: Any, sql: str, params: Sequence[Any]) -> int:
        """Run a statement and return the number of rows that it changed."""
        connection.execute(sql, params)
        return int(connection.changes())

    def insert(
        self, insertion: Insertion, connection: Any, sql: str, rows: Iterable[Sequence[Any]]
    ) -> None:
        """Insert each row with the same statement, which is compiled once."""
        connection.executemany(sql, rows)


class ThreadConnections(Connections):
    """One connection per thread, all of which can be closed at once.

    The connection of a thread is closed when the thread ends: this object only has weak references.
    """

    def __init__(self, engine: SqliteEngine) -> None:
        """Take the engine; a thread's connection is opened when the thread first takes it."""
        self._engine = engine
        self._own = threading.local()
        self._all: weakref.WeakSet[Session] = weakref.WeakSet()
        self._guard = threading.Lock()
        self._closed = False

    def take(self, moment: float | None) -> Session:
        """Return this thread's connection."""
        if self._closed:
            raise StoreUnavailable("this database has been closed")
        if self._engine.is_replaced():
            raise StoreUnavailable(_REPLACED)
        try:
            session: Session = self._own.session
        except AttributeError:
            session = self._own.session = self._engine.connect()
            with self._guard:
                self._all.add(session)
        return session

    def give(self, session: Session) -> None:
        """Do nothing: the thread keeps its connection."""

    def drop(self, session: Session) -> None:
        """Do nothing: connections to a file are not lost, and closing one could delete a database
        in memory.
        """

    def close(self) -> None:
        """Close the connections of every thread."""
        self._closed = True
        with self._guard:
            for session in list(self._all):
                # A connection that is in use is closed when its thread ends.
                with suppress(apsw.ThreadingViolationError):
                    session.connection.close()
            self._all.clear()
        self._engine.close()

    def count(self) -> int:
        """Return the number of connections of all threads."""
        with self._guard:
            return len(self._all)


def _patience(session: weakref.ref[Session]) -> Callable[[int], bool]:
    """Return a function that waits for a locked file; it returns whether to try once more.

    SQLite's own waits become longer and longer, so that a lock that is free for moments only is
    missed.
    """

    def wait(attempts: int) -> bool:
        held = session()
        is_late = held is not None and held.limit is not None and time.monotonic() > held.limit
        if is_late or attempts * POLL_SECONDS >= BUSY_SECONDS:
            return False
        time.sleep(POLL_SECONDS)
        return True

    return wait


def _repaired(connection: apsw.Connection, sql: str, params: Sequence[Any]) -> list[Row]:
    """Return the rows of a query, with replacement characters in texts that are not UTF-8.

    The driver cannot return such texts, but it can return their bytes.
    """
    names = [f"c{number}" for number in range(_width(connection, sql, params))]
    values = ", ".join(
        f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END,"
        f" typeof({name}) = 'text'"
        for name in names
    )
    # Materialized, so that the order of the rows is kept.
    rows = connection.execute(
        f"WITH found({', '.join(names)}) AS MATERIALIZED ({sql}) SELECT {values} FROM found",  # noqa: S608
        params,
    )
    return [
        tuple(
            decode(value) if is_text else value
            for value, is_text in zip(row[::2], row[1::2], strict=True)
        )
        for row in rows
    ]


def _width(connection: apsw.Connection, sql: str, params: Sequence[Any]) -> int:
    """Return the number of columns of a query without running it."""
    widths: list[int] = []

    def note(cursor: apsw.Cursor, *_: Any) -> bool:
        widths.append(len(cursor.get_description()))
        return False

    cursor = connection.cursor()
    cursor.exec_trace = note
    with suppress(apsw.ExecTraceAbort):
        cursor.execute(sql, params)
    return widths[0]


def _create_private(path: str) -> None:
    """Create the file readable only by its owner; SQLite would create it readable by everyone."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreUnavailable(f"cannot create {path}: {error.strerror}") from error


def _uri(path: str, read_only: bool) -> str:
    if path == MEMORY:
        # It has a name so that all threads see the same database, which is deleted when its last
        # connection is closed.
        return f"file:/wikiapi-{uuid4().hex}?vfs=memdb"
    location = quote(str(Path(path).absolute()))
    if not read_only:
        return f"file:{location}?mode=rw"
    return f"file:{location}?mode=ro{'&immutable=1' if _is_idle_wal(path) else ''}"


def _is_idle_wal(path: str) -> bool:
    """Return whether a file can be opened as immutable, to avoid creating files next to it.

    SQLite creates such files for databases in WAL mode, even to read them
    (https://www.sqlite.org/fileformat.html). A database that no process has open is opened as
    immutable if it was not created by wikiapi, or if its folder is not writable. Later changes to
    it are not seen.
    """
    with Path(path).open("rb") as file:
        header = file.read(100)
    wal = header[18:20] == b"\x02\x02"
    ours = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    if not wal or Path(path + "-wal").exists():
        return False
    return not ours or not _may_write(Path(path).absolute().parent)


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
