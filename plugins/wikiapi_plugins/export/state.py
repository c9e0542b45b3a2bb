"""What an export remembers while it runs, so that one that was killed goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

_PATIENCE = 30_000
_TABLES = """
CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS names (
    namespace INTEGER, title TEXT, page INTEGER, is_redirect INTEGER, base TEXT, folded TEXT,
    digest TEXT, file TEXT, PRIMARY KEY (namespace, title)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS names_folded ON names (namespace, folded, page);
CREATE TABLE IF NOT EXISTS entries (entry INTEGER PRIMARY KEY, title TEXT, file TEXT, start TEXT);
CREATE TABLE IF NOT EXISTS postings (term TEXT, entry INTEGER, weight INTEGER);
"""
_DROP = "progress names entries postings"
_LAST = "last page"
_LENGTH = "length"
_COUNT = "pages"
_FAILED = "failed"
_FINGERPRINT = "fingerprint"


class State:
    """The state of one export: a small database beside what is being written."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        """Open or begin it; a state of another fingerprint is thrown away."""
        self.path = path
        self._db = _open(path)
        if self._get(_FINGERPRINT, fingerprint) != fingerprint:
            with self.atomic():
                for table in _DROP.split():
                    self._db.execute(f"DROP TABLE {table}")
                self._db.execute(_TABLES)
        self._set(_FINGERPRINT, fingerprint)

    @property
    def last_page(self) -> int:
        """The id up to which pages are done."""
        return int(self._get(_LAST, 0))

    @property
    def length(self) -> int:
        """The length of the file that is written, up to where it is complete."""
        return int(self._get(_LENGTH, 0))

    @property
    def pages(self) -> int:
        """How many pages are done."""
        return int(self._get(_COUNT, 0))

    @property
    def failed(self) -> int:
        """How many of them could not be rendered."""
        return int(self._get(_FAILED, 0))

    def advance(self, last_page: int, pages: int, failed: int, length: int = 0) -> None:
        """Note that pages are done; within :meth:`atomic`."""
        self._set(_LAST, last_page)
        self._set(_COUNT, self.pages + pages)
        self._set(_FAILED, self.failed + failed)
        self._set(_LENGTH, length)

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Write all that the block writes, or nothing."""
        with self._db:
            yield

    def rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query."""
        yield from self._db.execute(query, values)

    def write(self, statement: str, rows: Iterator[Sequence[Any]]) -> None:
        """Run a statement for each row."""
        self._db.executemany(statement, rows)

    def is_done(self, step: str) -> bool:
        """Return whether a step was finished."""
        return bool(self._get(step, 0))

    def finish_step(self, step: str) -> None:
        """Note that a step is finished."""
        self._set(step, 1)

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def remove(self) -> None:
        """Close and delete it: the export is finished."""
        self._db.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def _get(self, name: str, default: Any) -> Any:
        found = list(self._db.execute("SELECT value FROM progress WHERE name = ?", (name,)))
        return found[0][0] if found else default

    def _set(self, name: str, value: Any) -> None:
        self._db.execute("REPLACE INTO progress VALUES (?, ?)", (name, value))


def _open(path: Path) -> apsw.Connection:
    db = apsw.Connection(str(path))
    db.set_busy_timeout(_PATIENCE)
    db.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    db.execute(_TABLES)
    return db


class Names:
    """The files of pages, read by a process that renders them."""

    def __init__(self, path: Path) -> None:
        """Read from the state at a path."""
        self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        self._db.set_busy_timeout(_PATIENCE)
        self._known: dict[tuple[int, str], str | None] = {}

    def file(self, key: tuple[int, str]) -> str | None:
        """Return the path of a page's file; ``None`` if the page is not exported."""
        if key not in self._known:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            rows = list(
                self._db.execute("SELECT file FROM names WHERE namespace = ? AND title = ?", key)
            )
            self._known[key] = rows[0][0] if rows else None
        return self._known[key]


_KNOWN = 50_000
"""How many names are kept at a time."""
