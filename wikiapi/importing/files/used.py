"""Finds the files that pages use, and whether the wiki has them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from peewee import fn

from wikiapi.config import FilesConfig
from wikiapi.filerepo.sha1 import from_hex
from wikiapi.importing.files.importer import file_title, stored_path
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import ImageLinks
from wikiapi.store.queries import files as stored_files
from wikiapi.store.queries.files import FileVersion

_BATCH = 500
_NAMES = ImageLinks.select(ImageLinks.il_to).distinct().order_by(ImageLinks.il_to).limit(_BATCH)


class UsedFile(NamedTuple):
    """A file that pages use.

    ``name`` is the file's own name, also if pages use a redirect to it. ``is_here`` tells whether
    the wiki has the file, ``is_possible`` whether the name is valid.
    """

    name: str
    is_here: bool
    is_possible: bool = True


def count_used(db: Database) -> int:
    """Return the number of file names that pages use."""
    return int(db.scalar(ImageLinks.select(fn.COUNT(ImageLinks.il_to.distinct()))))


def used_files(site: Site) -> Iterator[UsedFile]:
    """Yield the files that pages use, by name, with the targets of redirects in their place.

    There are two queries for every five hundred names.
    """
    last = ""
    while names := [name for (name,) in site.db.execute(_NAMES.where(ImageLinks.il_to > last))]:
        targets = stored_files.redirect_targets(site.db, names)
        own = list(dict.fromkeys(targets.get(name, name) for name in names))
        rows = stored_files.by_names(site.db, own)
        for name in own:
            title, row = file_title(site, name), rows.get(name)
            if title is None or title.dbkey != name:
                yield UsedFile(name, False, False)
            else:
                yield UsedFile(name, row is not None and _has(site.config.files, row))
        last = names[-1]


def _has(config: FilesConfig, row: FileVersion) -> bool:
    """Return whether the file that a row describes is in the upload folder."""
    if row.media_type in ("BITMAP", "DRAWING") and not row.width:
        return False  # the row comes from a dump, which does not have the size in pixels
    path = on_disk(config, row.name)
    return path is not None and path.stat().st_size == row.size


def on_disk(config: FilesConfig, name: str) -> Path | None:
    """Return the path of a file in the upload folder, in its hashed subfolder or directly."""
    for path in (stored_path(config, name), Path(config.folder) / name):
        if config.folder and path.is_file():
            return path
    return None


def has_content(path: Path, size: int, sha1: str) -> bool:
    """Return whether a file exists and has this size and SHA-1 (in base 36)."""
    if not path.is_file() or path.stat().st_size != size:
        return False
    with path.open("rb") as file:
        return from_hex(hashlib.file_digest(file, "sha1").hexdigest()) == sha1
