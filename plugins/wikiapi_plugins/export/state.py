"""The stored state of a running export, with which an interrupted export can be continued."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

_BUSY_TIMEOUT = 30_000
"""Milliseconds."""
_TABLES = """
CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS names (
    namespace INTEGER, title TEXT, page INTEGER, is_redirect INTEGER, base TEXT, folded TEXT,
    file TEXT, PRIMARY KEY (namespace, title)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS names_folded ON names (namespace, folded, page);
CREATE TABLE IF NOT EXISTS entries (entry INTEGER PRIMARY KEY, title TEXT, file TEXT, start TEXT);
CREATE TABLE IF NOT EXISTS postings (term TEXT, entry INTEGER, weight INTEGER);
CREATE TABLE IF NOT EXISTS results (
    last INTEGER PRIMARY KEY, pages INTEGER, failed INTEGER, data BLOB
);
"""
_DROP = "progress names entries postings results"
_LAST = "last page"
_LENGTH = "length"
_COUNT = "pages"
_FAILED = "failed"
_FINGERPRINT = "fingerprint"


class State:
    """The state of an export, in a small database next to its output."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        """Open the state, or create it; a state with another fingerprint is discarded."""
        self.path = path
        self.fingerprint = fingerprint
        db = apsw.Connection(str(path))
        db.set_busy_timeout(_BUSY_TIMEOUT)
        db.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        db.execute(_TABLES)
        self._db = db
        if self._get(_FINGERPRINT, fingerprint) != fingerprint:
            with self.atomic():
                for table in _DROP.split():
                    self._db.execute(f"DROP TABLE {table}")
                self._db.execute(_TABLES)
        self._set(_FINGERPRINT, fingerprint)

    @property
    def last_page(self) -> int:
        """The id of the last page that is done; pages are exported in the order of their ids."""
        return int(self._get(_LAST, 0))

    @property
    def length(self) -> int:
        """The length in bytes up to which the output file is complete."""
        return int(self._get(_LENGTH, 0))

    @property
    def pages(self) -> int:
        """The number of pages that are done."""
        return int(self._get(_COUNT, 0))

    @property
    def failed(self) -> int:
        """The number of pages that could not be rendered."""
        return int(self._get(_FAILED, 0))

    def advance(self, last_page: int, pages: int, failed: int, length: int = 0) -> None:
        """Record that pages are done. Call it within :meth:`atomic`."""
        self._set(_LAST, last_page)
        self._set(_COUNT, self.pages + pages)
        self._set(_FAILED, self.failed + failed)
        self._set(_LENGTH, length)

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Run a block in a transaction."""
        with self._db:
            yield

    def rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query."""
        yield from self._db.execute(query, values)

    def write(self, statement: str, rows: Iterator[Sequence[Any]]) -> None:
        """Run a statement for each row."""
        self._db.executemany(statement, rows)

    def is_done(self, step: str) -> bool:
        """Return whether a step is finished."""
        return bool(self._get(step, 0))

    def finish_step(self, step: str) -> None:
        """Record that a step is finished."""
        self._set(step, 1)

    def compact(self) -> None:
        """Give back the space of rows that have been deleted."""
        self._db.execute("VACUUM")

    def make_single_file(self) -> None:
        """Make the database a single file, which can be copied; nothing else may have it open."""
        self._db.execute("PRAGMA journal_mode = DELETE")

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def remove(self) -> None:
        """Close and delete the database, when the export is finished."""
        self._db.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def _get(self, name: str, default: Any) -> Any:
        rows = list(self._db.execute("SELECT value FROM progress WHERE name = ?", (name,)))
        return rows[0][0] if rows else default

    def _set(self, name: str, value: Any) -> None:
        self._db.execute("REPLACE INTO progress VALUES (?, ?)", (name, value))


class Names:
    """The file names of pages, as the rendering processes read them."""

    def __init__(self, path: Path) -> None:
        """Read from the state with this path."""
        self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        self._db.set_busy_timeout(_BUSY_TIMEOUT)
        self._files: dict[tuple[int, str], str | None] = {}

    def file(self, key: tuple[int, str]) -> str | None:
        """Return the path of a page's file; ``None`` if the page is not exported."""
        if key not in self._files:
            if len(self._files) >= _MAX_CACHED:
                self._files.clear()
            rows = list(
                self._db.execute("SELECT file FROM names WHERE namespace = ? AND title = ?", key)
            )
            self._files[key] = rows[0][0] if rows else None
        return self._files[key]


_MAX_CACHED = 50_000
"""Largest number of names that are cached."""
