"""Imports a folder of pages as files: ``<namespace>/<title>.<extension>``.

The folder of a namespace is named after its canonical name in lower case with ``_`` for a space, or
``main`` for the main namespace. ``%XX`` in a file name stands for a byte of UTF-8. Ids are given to
pages in the order of their names and timestamps are derived from ids, so that importing a folder
always gives the same store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote_to_bytes

from wikiapi.errors import DumpError, InvalidTitle
from wikiapi.importing.importer import Checkpoint, DumpImporter, ImportReport
from wikiapi.importing.xml.records import (
    Contributor,
    DumpRevision,
    DumpSlot,
    PageEnd,
    PageHead,
    Record,
)
from wikiapi.site import Site
from wikiapi.store.models import Page, Revision
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries import texts
from wikiapi.store.write.ids import next_id
from wikiapi.timestamps import compact
from wikiapi.title.namespaces import MAIN, TEMPLATE, Namespace
from wikiapi.title.title import Title

AUTHOR = Contributor("Maintenance script", 1)
COMMENT = "Imported from files"
START = datetime(2025, 1, 1, tzinfo=UTC)
_WIKITEXT = "wikitext"
_MODELS = {
    ".wikitext": _WIKITEXT,
    ".lua": "Scribunto",
    ".css": "css",
    ".js": "javascript",
    ".json": "json",
}
# The extensions that are not part of the page's title.
_NOT_IN_TITLE = frozenset({".wikitext", ".lua"})


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page read from a file of the folder."""

    title: Title
    model: str
    text: str


def import_folder(site: Site, folder: Path) -> ImportReport:
    """Import the pages of a folder. An existing page gets a new revision if its text differs.

    Raises:
        DumpError: there are no pages, a file cannot be read or is not UTF-8, or its name is not a
            valid title.
        StoreError: the store cannot be written.
    """
    files = list(read_folder(site, folder))
    if not files:
        example = folder / "main" / "Main Page.wikitext"
        raise DumpError(f"{folder} has no pages: a page is a file such as {example}")
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.title.prefixed_dbkey}\0{file.model}\0{file.text}\0".encode())
    checkpoint = Checkpoint(f"folder-{digest.hexdigest()[:32]}")
    return DumpImporter(site).import_records(_records(site, files), checkpoint)


def read_folder(site: Site, folder: Path) -> Iterator[PageFile]:
    """Yield the pages of a folder, ordered by namespace folder and file name.

    Raises:
        DumpError: see :func:`import_folder`.
    """
    for namespace_folder, namespace in _namespace_folders(site, folder):
        if namespace is not None:
            for file in _page_files(namespace_folder):
                yield _read_page(site, namespace, file)


def skipped_folders(site: Site, folder: Path) -> list[str]:
    """Return the names of the folders that contain page files but belong to no namespace."""
    return [
        path.name
        for path, namespace in _namespace_folders(site, folder)
        if namespace is None and _page_files(path)
    ]


def _namespace_folders(site: Site, folder: Path) -> list[tuple[Path, Namespace | None]]:
    """Return the folders in a folder, sorted, each with the namespace that its name stands for."""
    namespaces = {"main": site.namespaces[MAIN]} | {
        (entry.canonical or entry.name).lower().replace(" ", "_"): entry
        for entry in site.namespaces
        if entry.id > 0
    }
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    return [(path, namespaces.get(path.name)) for path in folders]


def _page_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in _MODELS)


def _read_page(site: Site, namespace: Namespace, file: Path) -> PageFile:
    try:
        text = file.read_bytes().decode("utf-8")
        name = file.stem if file.suffix in _NOT_IN_TITLE else file.name
        decoded = unquote_to_bytes(name).decode("utf-8")
        title = site.titles.parse(f"{namespace.prefix}{decoded}")
    except OSError as error:
        raise DumpError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DumpError(f"{file} is not UTF-8") from error
    except InvalidTitle as error:
        raise DumpError(f"{file}: this is not a valid page title") from error
    if title.namespace is not namespace or title.interwiki or title.fragment:
        raise DumpError(f"{file}: {title.full_text!r} is not in the namespace of its folder")
    if "\0" in text:
        raise DumpError(f"{file} contains a NUL character")
    model = _MODELS[file.suffix]
    if model == "css" and namespace.id == TEMPLATE:
        model = "sanitized-css"
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return PageFile(title, model, lines.rstrip(" \t\n\v\f"))


def _records(site: Site, files: Sequence[PageFile]) -> Iterator[Record]:
    """Yield the records of the pages that are new or have another text than the store's."""
    rows = stored_pages.by_titles(site.db, (file.title.key for file in files))
    current = texts.current(site.db, rows)
    page_id = next_id(site.db, Page.page_id)
    rev_id = next_id(site.db, Revision.rev_id)
    for file in files:
        row = rows.get(file.title.key)
        if row and current[file.title.key].text == file.text:
            continue
        number = row.page_id if row else page_id
        page_id += not row
        model = site.content_models.get(file.model)
        target = model.redirect_target(site, file.text) if model else None
        redirect = target.prefixed_text if target else None
        parent = row.latest if row else 0
        timestamp = compact(site.clock()) if parent else creation_time(rev_id)
        slots = (DumpSlot("main", file.model, file.text),)
        yield PageHead(number, file.title.ns, file.title.prefixed_text, redirect)
        yield DumpRevision(rev_id, parent, timestamp, AUTHOR, COMMENT, False, 0, slots)
        yield PageEnd(0)
        rev_id += 1


def creation_time(number: int) -> str:
    """Return the timestamp of the revision with this id, the same on every machine.

    Each revision is one second later than the one before; after 317 years the times start again.
    """
    return compact(START + timedelta(seconds=number % 10**10))
