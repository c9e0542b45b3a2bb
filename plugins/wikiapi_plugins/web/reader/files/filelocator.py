"""Finding the file for a path below the upload folder.

A path is valid only if the store has a file of that name and the file would have that path. So
other data in the folder is never served, and no path can lead out of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from wikiapi.filerepo import File, FileVersion, file_path, hash_path
from wikiapi.site import Site
from wikiapi.store.queries import Span

_ARCHIVE = "archive"
_MAX_VERSIONS = 500


@dataclass(frozen=True, slots=True)
class LocatedFile:
    """A version of a file with its path on disk."""

    file: File
    version: FileVersion
    path: Path


class FileLocator:
    """Finds the files of one wiki."""

    def __init__(self, site: Site) -> None:
        """Use the configured upload folder."""
        self._site = site
        self._folder = Path(site.config.files.folder) if site.config.files.folder else None
        self._levels = site.config.files.hash_levels

    def find(self, path: str) -> LocatedFile | None:
        """Return the file with a decoded path below the upload folder; ``None`` if there is none.

        One query; two for an old version.
        """
        stored_name = path.rpartition("/")[2]
        if not is_sound(stored_name) or self._folder is None:
            return None
        is_old = path.startswith(f"{_ARCHIVE}/")
        name = stored_name.partition("!")[2] if is_old else stored_name
        archive_name = stored_name if is_old else ""
        if not name or unquote(file_path(name, self._levels, archive_name)) != path:
            return None
        file = self._site.files.local.find([name]).get(name)
        if file is None or file.name != name:
            return None
        version: FileVersion | None = file.current
        if archive_name:
            history = self._site.files.local.history([file], Span(_MAX_VERSIONS))
            versions = history.get(file.name, [])
            version = next((v for v in versions if v.archive_name == archive_name), None)
        if version is None or version.hidden.content or not version.exists:
            return None
        on_disk = self._on_disk(name, archive_name)
        return LocatedFile(file, version, on_disk) if on_disk else None

    def has(self, name: str) -> bool:
        """Return whether the current version of a file is on disk."""
        return is_sound(name) and self._on_disk(name, "") is not None

    def _on_disk(self, name: str, archive_name: str) -> Path | None:
        """Return the path in the hashed folder, or directly in the upload folder."""
        if self._folder is None:
            return None
        hashed = self._folder / hash_path(name, self._levels)
        if archive_name:
            hashed = self._folder / _ARCHIVE / hash_path(name, self._levels)
        for folder in (hashed, self._folder):
            path = folder / (archive_name or name)
            if path.is_file() and path.resolve().is_relative_to(self._folder.resolve()):
                return path
        return None


def is_sound(name: str) -> bool:
    """Return whether a text is a safe file name."""
    if name in ("", ".", "..") or name.startswith(".") or any(mark in name for mark in "/\\\0"):
        return False
    return name.isprintable()
