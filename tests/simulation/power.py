"""Power failures: files keep what was synced, and possibly a part of the rest.

As in POSIX, ``fsync`` of a file makes its data durable, and that of a folder the names in it.
Beyond that, only what file systems with a journal promise is relied on: names change in their
order, and a file that is being renamed has its old name or its new one.

Files of SQLite are observed through its calls, those of Python through audit events.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class _NameChange(NamedTuple):
    """A change of names in these folders that is not synced."""

    folders: frozenset[Path]
    undo: Callable[[], None]


class Power:
    """The changes in a folder that are not synced; its first content counts as synced."""

    def __init__(self, folder: Path, limbo: Path) -> None:
        """Watch a folder; ``limbo`` keeps removed files that may be restored."""
        self._folder, self._limbo = folder, limbo
        limbo.mkdir(exist_ok=True)
        self._names: list[_NameChange] = []
        self._synced: dict[int, bytes] = {}
        """The synced content of files that Python has written, by inode."""
        self._opening: list[Path] = []
        """Files that are being created, and will exist at the next event."""
        self._overwritten: dict[Path, list[Callable[[], None]]] = defaultdict(list)
        """Functions that undo what SQLite has written and not synced."""
        self._in_limbo = 0
        self.is_looking = False
        """Whether this object itself accesses files, which are no events of the simulation."""

    @contextmanager
    def _looking(self) -> Iterator[None]:
        self.is_looking = True
        try:
            for path in self._opening:
                if path.exists():
                    self._synced[path.stat().st_ino] = b""
            self._opening.clear()
            yield
        finally:
            self.is_looking = False

    # Called before each change of a name, and before data is written

    def opens(self, path: Path) -> None:
        """Record a file that Python opens for writing and may create."""
        with self._looking():
            if path.is_file():
                self._synced.setdefault(path.stat().st_ino, path.read_bytes())
                return
            if not path.exists():
                self._change(path, undo=lambda: path.unlink(missing_ok=True))
                self._opening.append(path)

    def makes(self, path: Path) -> None:
        """Record a new name of a file; nothing if the name exists already."""
        with self._looking():
            if not path.exists():
                self._change(path, undo=lambda: path.unlink(missing_ok=True))

    def makes_folder(self, path: Path) -> None:
        with self._looking():
            if not path.exists():
                self._change(path, undo=lambda: shutil.rmtree(path, ignore_errors=True))

    def removes(self, path: Path) -> None:
        with self._looking():
            if path.is_file():
                kept = self._kept(path)
                self._change(path, undo=lambda: _give_back(kept, path))
        self._overwritten.pop(path, None)

    def removes_folder(self, path: Path) -> None:
        with self._looking():
            if path.is_dir():
                self._change(path, undo=lambda: path.mkdir(exist_ok=True))

    def renames(self, source: Path, target: Path) -> None:
        with self._looking():
            if not source.is_file():
                return
            kept = self._kept(target) if target.is_file() else None

        def undo() -> None:
            if target.exists():
                target.rename(source)
            if kept:
                _give_back(kept, target)

        self._change(source, target, undo=undo)

    def overwrites(self, path: Path, size: int, offset: int, there: bytes) -> None:
        """Record a write by SQLite to a file of this size, which overwrites these bytes."""

        def undo() -> None:
            if path.exists():
                with path.open("r+b") as file:
                    file.truncate(size)
                    file.seek(offset)
                    file.write(there)

        with self._looking():
            # From now on the file is SQLite's, even if Python made it or tried to.
            self._synced.pop(path.stat().st_ino, None)
        self._overwritten[path].append(undo)

    # Called when something is synced

    def syncs(self, handle: int) -> None:
        """Record what Python syncs: the data of a file, or the names in a folder."""
        with self._looking():
            status, path = os.fstat(handle), Path(f"/proc/self/fd/{handle}")
            if stat.S_ISDIR(status.st_mode):
                self._sync_names(path.resolve())
            else:
                self._synced[status.st_ino] = path.read_bytes()

    def syncs_store(self, path: Path, *, is_new: bool) -> None:
        """Record what SQLite syncs: the data of a file, and the name of a new one."""
        with self._looking():
            self._overwritten.pop(path, None)
            self._synced.pop(path.stat().st_ino, None)
            if is_new:
                self._sync_names(path.parent)

    def _sync_names(self, folder: Path) -> None:
        self._names = [change for change in self._names if folder not in change.folders]

    # Called when the power fails

    def fail(self, draw: Random) -> None:
        """Undo all changes that were not synced, or only the last ones."""
        with self._looking():
            for path in sorted(self._overwritten):
                for undo in reversed(_lost(self._overwritten[path], draw)):
                    undo()
            for change in reversed(_lost(self._names, draw)):
                change.undo()
            for path in sorted(self._folder.rglob("*")):
                synced = self._synced.get(path.stat().st_ino) if path.is_file() else None
                if synced is not None:
                    _lose(path, synced, draw)

    def _change(self, *paths: Path, undo: Callable[[], None]) -> None:
        folders = frozenset(path.parent for path in paths)
        self._names.append(_NameChange(folders, undo))

    def _kept(self, path: Path) -> Path:
        self._in_limbo += 1
        kept = self._limbo / f"{os.getpid()}-{self._in_limbo}"
        os.link(path, kept)
        return kept


def _lost(changes: list[T], draw: Random) -> list[T]:
    """Return the last changes: all, some or none."""
    count = len(changes)
    return changes[draw.choice((0, 0, draw.randint(0, count), count)) :]


def _lose(path: Path, synced: bytes, draw: Random) -> None:
    """Remove from a file what was not synced, or a part of it."""
    there = path.read_bytes()
    if there != synced:
        path.write_bytes(draw.choice((synced, synced, there[: draw.randint(0, len(there))])))


def _give_back(kept: Path, path: Path) -> None:
    path.unlink(missing_ok=True)
    if path.parent.is_dir():
        os.link(kept, path)
