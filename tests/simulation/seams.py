"""Injects faults into a simulated process: before each statement and each change of a file.

At such a seam the process may switch to another thread, get an error of the disk, time out while it
waits for another writer, be killed, or lose power and all that was not synced. Everything is drawn
from the seed, and every event is written to the trace.
"""

from __future__ import annotations

import errno
import fcntl
import gc
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Protocol
from zlib import crc32

import apsw

from tests.simulation.power import Power
from tests.simulation.turns import TurnEvent, Turns
from wikiapi.cache import coalesce
from wikiapi.filerepo import folder as upload_folder
from wikiapi.store import turns as store_turns
from wikiapi.store.database import Database
from wikiapi.store.engines import sqlite

_READING = ("SELECT", "PRAGMA", "EXPLAIN", "WITH", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT")
_BEGIN, _COMMIT, _ROLLBACK = "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"
_SYNC = "sync"
_CREATING = ("open", "os.mkdir", "os.link", _SYNC)
_CHANGING = (*_CREATING, "os.rename", "os.remove", "os.rmdir")
"""Changes of files by Python, as names of audit events; syncing has no event of its own."""
_PATHS = {"os.rename": 2, "os.link": 2}
"""The number of an event's arguments that are paths, if not one."""
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_KILLED = 0.65
"""The share of processes that are killed."""
_POWERLESS = 0.5
"""The share of these that are killed by a power failure."""
_ANY, _COMMITTED, _FILES = "any", "committed", "files"
_FATAL = {_ANY: (1.0, 3.3), _COMMITTED: (0.0, 1.3), _FILES: (0.3, 1.8)}
"""The seams among which the fatal one is chosen, and the range of its number as powers of ten.

Most seams are within transactions, where a kill does little harm. So the first seams after a
commit, where what belongs to it may be missing, and those of Python's files can also be chosen.
"""
_RATES = (0.0, 0.001, 0.006)
"""The share of changes of files, and of statements in transactions, that fail."""
_IMPATIENT = 0.1
"""The share of writers that give up if they have to wait for another one."""
_IN_A_ROW = (1, 1, 12)
"""The longest series of failures: after a single one, the error handling succeeds."""
_FULL = apsw.FullError, "FullError: database or disk is full"
_BROKEN = apsw.IOError, "IOError: disk I/O error"
_INTERRUPTED = apsw.InterruptError, "InterruptError: interrupted"
FAULT = "fails at"
"""Marks a statement or a change of a file in the trace as failed."""
_UNUSABLE = 70
"""The exit status after an error of the simulation itself."""
_STORE = ".sqlite"
_CHECKPOINTS = (4, 50, 1000)
"""Numbers of pages in SQLite's log from which it may copy them into the store."""


def unlock_properties() -> None:
    """Let threads switch while cached properties are computed; call it before processes are forked.

    Before Python 3.12, cached properties hold a lock meanwhile, possibly during a statement.
    """
    for value in gc.get_objects():
        if isinstance(value, cached_property):
            value.lock = nullcontext()


class HasFileno(Protocol):
    """A file, or another object with a file descriptor."""

    def fileno(self) -> int:
        """Return the file descriptor."""


class Seams:
    """The seams of this process; install them only in a process that the simulation has forked."""

    def __init__(
        self, draw: Random, folder: Path, limbo: Path, trace: Callable[[str], None]
    ) -> None:
        """Prepare faults in a folder; none occurs before :meth:`begin`.

        ``limbo`` is a folder beside it, for files that a power failure may restore.
        """
        self.turns = Turns(draw)
        self.draw, self._folder, self._trace = draw, folder, trace
        self.power = Power(folder, limbo)
        self._count, self._fatal, self._counted = 0, 0, _ANY
        self._is_powerless = False
        self._rate, self._failing = 0.0, 0
        self._writers: dict[Path, str] = {}
        """The thread in a transaction, by store."""
        self._committed: set[str] = set()
        """Threads that have reached no seam since they committed."""

    def begin(self) -> None:
        """Draw the rate of faults from now on, and whether and where the process is killed."""
        self._count, self._fatal = 0, 0
        if self.draw.random() < _KILLED:
            self._counted = self.draw.choice(list(_FATAL))
            self._fatal = int(10 ** self.draw.uniform(*_FATAL[self._counted]))
            self._is_powerless = self.draw.random() < _POWERLESS
        self._rate = self.draw.choice(_RATES)

    def end(self) -> None:
        """Inject no more faults; a power failure that is still due happens now."""
        if self._fatal and self._is_powerless:
            self._kill()
        self._fatal, self._rate, self._failing = 0, 0.0, 0

    def install(self) -> None:
        """Install the seams."""
        self._into_statements()
        self._vfs = _Files(self)
        # No thread lets go of the file while another waits.
        sqlite.BUSY_SECONDS = 0.0
        apsw.connection_hooks.append(
            lambda connection: connection.wal_autocheckpoint(self.draw.choice(_CHECKPOINTS))
        )
        sys.addaudithook(self._audited)
        os.fsync = self._sync  # type: ignore[assignment]
        coalesce.Event = lambda: TurnEvent(self.turns)  # type: ignore[assignment, misc]
        upload_folder.fcntl = _Locks(self.turns)  # type: ignore[assignment]

    # Statements

    def _into_statements(self) -> None:
        run, say, seams = Database._run, Database._control_transaction, self

        def seamed_run(db: Any, work: Any, sql: str, params: Any, **options: Any) -> Any:
            def seamed(link: Any, sql: str, params: Any) -> Any:
                if db._thread.session is not None or _reads(sql):
                    seams._reach(_abridged(sql))
                    if db._thread.session is not None and seams._fails(_abridged(sql)):
                        error, text = seams.draw.choice((_BROKEN, _INTERRUPTED))
                        raise error(text)
                    return work(link, sql, params)
                store = _store(db)
                seams._await_turn_to_write(store, _abridged(sql))
                try:
                    done = work(link, sql, params)
                    seams._committed.add(seams.turns.name)
                    return done
                finally:
                    del seams._writers[store]

            return run(db, seamed, sql, params, **options)

        def seamed_say(db: Any, sql: str, *args: Any, **options: Any) -> Any:
            if db._thread.session is not None:
                # The statement that begins a transaction is the engine's.
                with _translating(db), seams._transaction(_store(db), sql or _BEGIN):
                    return say(db, sql, *args, **options)
            return []

        # Only one thread runs, so that a thread must not wait in the store: see :mod:`turns`.
        for lock in (store_turns.Turns, store_turns.Turnstile):
            lock.turn = lambda self, moment=None, **_: nullcontext()  # type: ignore[attr-defined]
        Database._run = seamed_run  # type: ignore[method-assign]
        Database._control_transaction = seamed_say  # type: ignore[method-assign]

    @contextmanager
    def _transaction(self, store: Path, sql: str) -> Iterator[None]:
        """Record the thread in a transaction, around the statement that begins or ends it."""
        try:
            if sql == _BEGIN:
                self._await_turn_to_write(store, sql)
            else:
                self._reach(sql)
            yield
        except BaseException:
            ended = sql in (_BEGIN, _ROLLBACK)
            raise
        else:
            ended = sql in (_COMMIT, _ROLLBACK)
            if sql == _COMMIT:
                self._committed.add(self.turns.name)
        finally:
            if ended and self._writers.get(store) == self.turns.name:
                del self._writers[store]

    def _await_turn_to_write(self, store: Path, sql: str) -> None:
        """Wait for the lock as SQLite does, but give up by chance, since no real time passes."""
        self._reach(sql)
        gives_up = self._rate and self.draw.random() < _IMPATIENT
        while store in self._writers:
            self.turns.hand_over()
            if store in self._writers and gives_up:
                self.note(f"{FAULT} waiting")
                raise apsw.BusyError("BusyError: database is locked")
        self._writers[store] = self.turns.name

    # Requests

    def come(self, what: str) -> None:
        """Reach the seam of a request or an answer."""
        self._reach(what)

    # Files of SQLite

    def change(self, what: str, torn: Callable[[], object] = lambda: None) -> None:
        """Reach the seam of a change of SQLite's file; ``torn`` does half of it."""
        self._reach(what, torn)

    def write(self, what: str, torn: Callable[[], object]) -> None:
        """Reach the seam of a change that may fail."""
        self.change(what, torn)
        if self._fails(what):
            error, text = self.draw.choice((_FULL, _BROKEN))
            raise error(text)

    # Files of Python

    def _audited(self, event: str, args: tuple[Any, ...]) -> None:
        """Reach the seam of a change of a file by Python."""
        if event not in _CHANGING or self.power.is_looking:
            return
        if event == "open" and (isinstance(args[0], int) or not args[2] & _TO_WRITE):
            return
        # shutil.rmtree gives the folder of a name by its file descriptor.
        within = args[-1] if event in ("os.remove", "os.rmdir") else -1
        paths = [_place(str(arg), within) for arg in args[: _PATHS.get(event, 1)]]
        if not paths[-1].is_relative_to(self._folder):
            return
        what = " ".join([event, *map(self.trace_path, paths)])
        self._reach(what, is_file=True)
        if event in _CREATING and self._fails(what):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), args[0])
        self._note_change(event, *paths)

    def trace_path(self, path: Path | str) -> str:
        """Return a path as the trace shows it."""
        return os.path.relpath(path, self._folder) if path else "temporary"

    def _note_change(self, event: str, path: Path, target: Path | None = None) -> None:
        if event == "os.rename" and target:
            self.power.renames(path, target)
        elif event == "os.link" and target:
            self.power.makes(target)
        else:
            notes = {
                "open": self.power.opens,
                "os.mkdir": self.power.makes_folder,
                "os.remove": self.power.removes,
                "os.rmdir": self.power.removes_folder,
            }
            notes[event](path)

    def _sync(self, file: int | HasFileno) -> None:
        """Reach the seam of a file or folder that Python syncs."""
        handle = file if isinstance(file, int) else file.fileno()
        self._reach(_SYNC, is_file=True)
        if self._fails(_SYNC):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self.power.syncs(handle)

    def _fails(self, what: str) -> bool:
        """Draw whether an operation fails; if so, those after it may fail as well."""
        if self._failing == 0 and self.draw.random() < self._rate:
            self._failing = self.draw.randint(1, self.draw.choice(_IN_A_ROW))
        if self._failing == 0:
            return False
        self._failing -= 1
        self.note(f"{FAULT} {what}")
        return True

    # All

    def _reach(
        self, place: str, torn: Callable[[], object] = lambda: None, *, is_file: bool = False
    ) -> None:
        self.note(place)
        name = self.turns.name
        counts = {_ANY: True, _COMMITTED: name in self._committed, _FILES: is_file}
        self._committed.discard(name)
        self._count += counts[self._counted]
        if counts[self._counted] and self._count == self._fatal:
            torn()
            self._kill()
        self.turns.pass_on()

    def _kill(self) -> None:
        if self._is_powerless:
            self.note("loses its power")
            try:
                self.power.fail(self.draw)
            except BaseException:
                traceback.print_exc()
                os._exit(_UNUSABLE)
        self.note("is killed")
        os.kill(os.getpid(), signal.SIGKILL)

    def note(self, what: str) -> None:
        """Write an event of this thread to the trace."""
        self._trace(f"{self.turns.name}: {what}")


class _Locks:
    """In place of :mod:`fcntl`: a thread that waits for a lock lets the others run."""

    LOCK_EX = fcntl.LOCK_EX

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def flock(self, descriptor: int, operation: int) -> None:
        """Wait until the lock is free, and take it."""

        def is_taken() -> bool:
            with suppress(BlockingIOError):
                fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
                return True
            return False

        self._turns.wait_until(is_taken)


class _Files(apsw.VFS):
    """SQLite's files, with a seam before each change."""

    def __init__(self, seams: Seams) -> None:
        super().__init__("simulated", "unix", makedefault=True)
        self._seams = seams
        self._bytes = Random(seams.draw.random())

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _File(self._seams, name, flags)

    def xRandomness(self, size: int) -> bytes:
        return self._bytes.randbytes(size)

    def xDelete(self, name: str, syncdir: bool) -> None:
        self._seams.change(f"delete {self._seams.trace_path(name)}")
        self._seams.power.removes(Path(name))
        super().xDelete(name, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, seams: Seams, name: Any, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        # Temporary files have no name, and need not last.
        self._path = Path(path) if path else None
        self._place = seams.trace_path(path)
        self._is_new = self._path is not None and not self._path.exists()
        if self._path is not None and self._is_new:
            seams.power.makes(self._path)
        super().__init__("unix", name, flags)
        self._seams = seams
        self._name = _suffix(path)

    def xWrite(self, data: bytes, offset: int) -> None:
        def torn() -> None:
            super(_File, self).xWrite(data[: len(data) // 2], offset)

        # SQLite ignores errors while it copies its log into the store; APSW would raise them.
        come = self._seams.change if self._name == _STORE else self._seams.write
        come(f"write {self._place} {offset}+{len(data)} {crc32(data):08x}", torn)
        self._note_change(offset, len(data))
        super().xWrite(data, offset)

    def xLock(self, level: int) -> None:
        # SQLite tries in the end to lock a file for writing that is open for reading only.
        try:
            super().xLock(level)
        except apsw.IOError:
            raise apsw.BusyError from None

    def xTruncate(self, size: int) -> None:
        self._seams.change(f"truncate {self._place} {size}")
        self._note_change(size, super().xFileSize() - size)
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        """Record that the file is synced, without syncing it, which would take long."""
        self._seams.change(f"sync {self._place}")
        if self._path is not None:
            self._seams.power.syncs_store(self._path, is_new=self._is_new)
            self._is_new = False

    def _note_change(self, offset: int, length: int) -> None:
        if self._path is None:
            return
        size = super().xFileSize()
        there = super().xRead(min(length, size - offset), offset) if offset < size else b""
        self._seams.power.overwrites(self._path, size, offset, there)


def _place(name: str, folder: int) -> Path:
    """Return the absolute path of a name in the folder of a descriptor; -1: the current folder."""
    within = Path.cwd() if folder == -1 else Path(f"/proc/self/fd/{folder}").resolve()
    return within / name


@contextmanager
def _translating(db: Any) -> Iterator[None]:
    """Translate errors of the driver, as the database does."""
    try:
        yield
    except Exception as error:
        if db._engine.can_translate(error):
            raise db._engine.translate(error) from error
        raise


def _store(db: Any) -> Path:
    """Return the file of a database."""
    return Path(db._engine._path).absolute()


def _suffix(path: str) -> str:
    return Path(path).suffix


def _reads(sql: str) -> bool:
    return sql.lstrip("( ").split(maxsplit=1)[0].upper() in _READING


def _abridged(sql: str) -> str:
    return " ".join(sql.split())[:70]
