"""The upload folder, and changes to it that are tied to a transaction of the store.

New data never overwrites anything before the transaction is committed. Until then it is staged in
``temp/staged`` under a hash of its SHA-1 and name; after the commit it is moved into place. If the
process ends in between, the next change of the file finds the staged data and moves it, because the
SHA-1 in the file's row shows that it is the current version. Files whose names are not in use yet
(archived and deleted versions) are written at once, and removed again if the transaction fails.

Names may share data by hard links, because nothing writes to a file once it has a name outside the
folder of its request (:meth:`UploadFolder.incoming`): chunks are files of their own, which are
copied into a new file when the upload is complete.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from wikiapi.config import FilesConfig
from wikiapi.filerepo.durable import make_folder, sync
from wikiapi.filerepo.paths import hash_path

if sys.platform != "win32":
    import fcntl

_DELETED_LEVELS = 3
"""Levels of folders for the versions of deleted files, as in MediaWiki."""
_INCOMING = "incoming-"
_LEFT_SECONDS = 3600
"""Age at which the temporary data of a request is taken to be left over from a crash."""


class UploadFolder:
    """The paths of a wiki's files, in MediaWiki's layout."""

    def __init__(self, config: FilesConfig) -> None:
        """Use the folder that the configuration names."""
        self.root = Path(config.folder)
        self._levels = config.hash_levels

    def current(self, name: str) -> Path:
        """Return the path of a file's current version."""
        return self._inside(self.root / hash_path(name, self._levels) / name)

    def archived(self, name: str, archive_name: str) -> Path:
        """Return the path of an earlier version."""
        return self._inside(self.root / "archive" / hash_path(name, self._levels) / archive_name)

    def deleted(self, key: str) -> Path:
        """Return the path of a deleted version with a storage key."""
        return self._inside(self.root / "deleted" / Path(*key[:_DELETED_LEVELS]) / key)

    def stashed(self, name: str) -> Path:
        """Return the path of a stashed upload."""
        return self._inside(self.root / "temp" / hash_path(name, self._levels) / name)

    def staged(self, name: str, sha1: str) -> Path:
        """Return the path at which the data of a version is staged until the commit."""
        key = hashlib.sha1(f"{sha1}/{name}".encode(), usedforsecurity=False).hexdigest()
        return self._inside(self.root / "temp" / "staged" / key)

    def thumbnails(self, name: str, archive_name: str = "") -> Path:
        """Return the folder of the thumbnails that MediaWiki may have made of a version."""
        thumbs, place = self.root / "thumb", hash_path(name, self._levels)
        if archive_name:
            return self._inside(thumbs / "archive" / place / archive_name)
        return self._inside(thumbs / place / name)

    def find_current(self, name: str) -> Path | None:
        """Return the path of the current version; ``None`` if there is no such file.

        It may be in its hashed folder or directly in the upload folder.
        """
        for path in (self.current(name), self._inside(self.root / name)):
            if path.is_file():
                return path
        return None

    def settle(self, name: str, sha1: str) -> None:
        """Move the current version into place, if it is still staged."""
        staged, target = self.staged(name, sha1), self.current(name)
        if staged.is_file():
            make_folder(target.parent, self.root)
            # No fsync is needed: if the rename is lost in a crash, the data is still staged.
            with suppress(FileNotFoundError):  # another request was faster
                staged.replace(target)
                # Two names of the same data are left as they are when one is renamed to the other.
                staged.unlink(missing_ok=True)

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """Create a folder for the data of a request, and remove those that a crash has left."""
        waiting = self.root / "temp"
        waiting.mkdir(parents=True, exist_ok=True)
        for left in waiting.glob(f"{_INCOMING}*"):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > _LEFT_SECONDS:
                    shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=waiting, prefix=_INCOMING) as folder:
            yield Path(folder)

    def _inside(self, path: Path) -> Path:
        # As texts, because paths take twice as long, and an upload checks five.
        if not os.path.realpath(path).startswith(self._beginning):
            raise ValueError(f"{path} is outside the upload folder")
        return path

    @cached_property
    def _beginning(self) -> str:
        """The beginning of the real paths of all files in the folder."""
        return f"{os.path.realpath(self.root)}{os.sep}"


class _Original(NamedTuple):
    """A file to remove, identified by its inode: by then, another may have taken its name."""

    path: Path
    inode: int


class FolderChanges:
    """The changes to files in one transaction.

    Use it around the transaction; an exception undoes what was written::

        with FolderChanges(folder) as changes, db.atomic():
            changes.copy(source, target)
    """

    def __init__(self, folder: UploadFolder) -> None:
        """Change files in this folder."""
        self.folder = folder
        self._added: list[Path] = []
        self._to_settle: list[tuple[str, str]] = []
        self._to_remove: list[_Original] = []
        self._outdated: list[Path] = []
        self._is_committed = False
        self._lock: int | None = None

    def __enter__(self) -> FolderChanges:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.commit()
            elif not self._is_committed:
                for path in self._added:
                    path.unlink(missing_ok=True)
        finally:
            self._unlock()

    def copy(self, source: Path, target: Path) -> None:
        """Make the data of a file available under a second name, which no row refers to yet.

        Another file may have that name already, left by a crash. It is replaced.
        """
        self._begin()
        if target.is_file() and target.samefile(source):
            return
        make_folder(target.parent, self.folder.root)
        target.unlink(missing_ok=True)
        self._added.append(target)
        if not link_or_copy(source, target):
            sync(target)
        sync(target.parent)

    def copy_once(self, source: Path, target: Path) -> None:
        """Make data available under a name that is made from its content.

        Another file with the same content may have that name already.
        """
        self._begin()
        if not target.is_file() or target.stat().st_size != source.stat().st_size:
            self.copy(source, target)

    def place(self, name: str, sha1: str, source: Path) -> None:
        """Make data the current version of a file once the transaction is committed."""
        self.copy(source, self.folder.staged(name, sha1))
        # Made now, where a full disk still undoes everything.
        make_folder(self.folder.current(name).parent, self.folder.root)
        self._to_settle.append((name, sha1))

    def remove(self, path: Path) -> None:
        """Remove a file once the transaction is committed."""
        self._begin()
        with suppress(FileNotFoundError):
            self._to_remove.append(_Original(path, path.stat().st_ino))

    def drop_thumbnails(self, name: str, archive_name: str = "") -> None:
        """Remove the thumbnails of a version once the transaction is committed."""
        self._outdated.append(self.folder.thumbnails(name, archive_name))

    def _begin(self) -> None:
        """Wait until the changes of an earlier transaction are finished.

        Files are removed and moved into place when their transaction has been committed. The next
        one could otherwise count on data that is about to be removed.
        """
        if self._lock is None and sys.platform != "win32":
            temporary = self.folder.root / "temp"
            make_folder(temporary, self.folder.root)
            self._lock = os.open(temporary, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def commit(self) -> None:
        """Do what may be left undone: the transaction is committed, and so the answer is yes.

        The end of the ``with`` block calls this, unless it has been called before.
        """
        if self._is_committed:
            return
        self._is_committed = True
        for original in self._to_remove:
            with suppress(OSError):
                if original.path.stat().st_ino == original.inode:
                    original.path.unlink()
        for name, sha1 in self._to_settle:
            with suppress(OSError):
                self.folder.settle(name, sha1)
        for thumbnails in self._outdated:
            shutil.rmtree(thumbnails, ignore_errors=True)
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def link_or_copy(source: Path, target: Path) -> bool:
    """Create a hard link to a file and return true, or a copy where links are not supported."""
    try:
        target.hardlink_to(source)
    except OSError:
        with source.open("rb") as original, target.open("xb") as file:
            shutil.copyfileobj(original, file)
        return False
    return True
