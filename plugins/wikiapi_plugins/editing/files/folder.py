"""The upload folder, and changes to it that are tied to a transaction of the store.

New data never overwrites anything before the transaction is committed. Until then it is staged in
``temp/staged`` under a hash of its SHA-1 and name; after the commit it is moved into place. If the
process ends in between, the next change of the file finds the staged data and moves it, because the
SHA-1 in the file's row shows that it is the current version. Files whose names are not in use yet
(archived and deleted versions) are written at once, and removed again if the transaction fails.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from wikiapi.config import FilesConfig
from wikiapi.filerepo.durable import make_folder, sync
from wikiapi.filerepo.paths import hash_path

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
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise ValueError(f"{path} is outside the upload folder")
        return path


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

    def __enter__(self) -> FolderChanges:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_committed:
            return
        if kind is None:
            self.commit()
        else:
            for path in self._added:
                path.unlink(missing_ok=True)

    def write(self, target: Path, data: bytes) -> None:
        """Write a file under a name that is not in use."""
        self._prepare(target)
        with target.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        sync(target.parent)

    def copy(self, source: Path, target: Path) -> None:
        """Make a file available under a second name, unless that exists with the same content."""
        if target.is_file():
            return
        self._prepare(target)
        link_or_copy(source, target)
        sync(target)
        sync(target.parent)

    def place(self, name: str, sha1: str, source: Path) -> None:
        """Make data the current version of a file once the transaction is committed."""
        staged = self.folder.staged(name, sha1)
        staged.unlink(missing_ok=True)
        self.copy(source, staged)
        # Made now, where a full disk still undoes everything.
        make_folder(self.folder.current(name).parent, self.folder.root)
        self._to_settle.append((name, sha1))

    def remove(self, path: Path) -> None:
        """Remove a file once the transaction is committed."""
        with suppress(FileNotFoundError):
            self._to_remove.append(_Original(path, path.stat().st_ino))

    def drop_thumbnails(self, name: str, archive_name: str = "") -> None:
        """Remove the thumbnails of a version once the transaction is committed."""
        self._outdated.append(self.folder.thumbnails(name, archive_name))

    def _prepare(self, target: Path) -> None:
        make_folder(target.parent, self.folder.root)
        self._added.append(target)

    def commit(self) -> None:
        """Do what may be left undone: the transaction is committed, and so the answer is yes.

        The end of the ``with`` block calls this, unless it has been called before.
        """
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


def link_or_copy(source: Path, target: Path) -> None:
    """Create a hard link to a file, or a copy where hard links are not supported."""
    try:
        target.hardlink_to(source)
    except OSError:
        with source.open("rb") as original, target.open("xb") as file:
            shutil.copyfileobj(original, file)
