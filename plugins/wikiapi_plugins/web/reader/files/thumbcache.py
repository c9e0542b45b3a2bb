"""A cache of files in a folder, which removes the oldest files first."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

from wikiapi.errors import ConfigError
from wikiapi.filerepo import sync

_SHARE_AFTER_CLEANUP = 0.8
"""The fraction of the maximum size to which a full cache is reduced."""
_PARTIAL = ".partial"


class ThumbCache:
    """Stores files with a limited total size. Several processes can share the folder.

    A file is identified by the key of its source and the name of a variant.
    """

    def __init__(self, folder: Path, most: int) -> None:
        """Use a folder, which is created if needed, for at most ``most`` bytes.

        Raises:
            ConfigError: the folder cannot be created.
        """
        self._folder = folder
        self._most = most
        self._guard = Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            message = f"thumbnails cannot be stored in {folder}: {error.strerror}"
            raise ConfigError(message) from error
        self._size = sum(size for _, size, _ in self._listed())

    def get(self, key: str, variant: str) -> Path | None:
        """Return a cached file; ``None`` if it is not cached."""
        path = self._path(key, variant)
        return path if path.is_file() else None

    def variants(self, key: str) -> dict[str, Path]:
        """Return the cached files of a key by variant."""
        some = self._path(key, "")
        paths = some.parent.glob(f"{some.name}*")
        return {
            path.name.removeprefix(some.name): path for path in paths if path.suffix != _PARTIAL
        }

    def put(self, key: str, variant: str, write: Callable[[Path], None]) -> Path:
        """Add a file, which appears under its name when it is complete, and return its path.

        Args:
            key: the key of its source.
            variant: a name of ASCII letters, digits and hyphens.
            write: writes the file.
        """
        path = self._path(key, variant)
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=_PARTIAL)
        os.close(handle)
        partial = Path(name)
        try:
            write(partial)
            size = partial.stat().st_size
            # Otherwise an empty file might be left under the name when the power fails.
            sync(partial)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        self._make_room(size)
        return path

    def _make_room(self, added: int) -> None:
        with self._guard:
            self._size += added
            if self._size <= self._most:
                return
            listed = sorted(self._listed(), key=lambda entry: entry[0])
            self._size = sum(size for _, size, _ in listed)
            for _, size, path in listed[:-1]:
                if self._size <= self._most * _SHARE_AFTER_CLEANUP:
                    return
                path.unlink(missing_ok=True)
                self._size -= size

    def _listed(self) -> list[tuple[float, int, Path]]:
        entries = []
        for path in self._folder.glob("*/*"):
            if path.suffix == _PARTIAL:
                continue
            with suppress(OSError):  # another process may have removed it
                facts = path.stat()
                entries.append((facts.st_mtime, facts.st_size, path))
        return entries

    def _path(self, key: str, variant: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self._folder / name[:2] / f"{name[2:]}-{variant}"


def open_cache(configured: str, wiki_id: str, most: int) -> ThumbCache:
    """Return the cache of a wiki, in the configured folder or in the user's cache folder.

    If the latter cannot be written, a temporary folder is used.

    Raises:
        ConfigError: the configured folder cannot be created.
    """
    if configured:
        return ThumbCache(Path(configured), most)
    try:
        return ThumbCache(_default_folder(wiki_id), most)
    except ConfigError:
        return ThumbCache(Path(tempfile.mkdtemp(prefix="wikiapi-thumbs-")), most)


def _default_folder(wiki_id: str) -> Path:
    name = "thumbs-" + "".join(char if char.isalnum() else "_" for char in wiki_id)
    for variable in ("CACHE_DIRECTORY", "XDG_CACHE_HOME"):
        folder = os.environ.get(variable, "").partition(":")[0]
        if folder and Path(folder).is_absolute():
            return Path(folder) / "wikiapi" / name
    return Path("~/.cache").expanduser() / "wikiapi" / name
