"""Imports a folder of media files: rows, description pages, and the files themselves."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wikiapi.dump.checkpoint import Checkpoint, set_unfinished
from wikiapi.dump.files.mediafile import BadMedia, MediaFacts, image_row, read_media
from wikiapi.dump.folder import AUTHOR, COMMENT, creation_time
from wikiapi.dump.importer import DumpImporter
from wikiapi.dump.links.update import mark_users_of_files
from wikiapi.dump.xml.records import DumpRevision, DumpSlot, PageEnd, PageHead, Record
from wikiapi.errors import DumpError
from wikiapi.filerepo.paths import hash_path
from wikiapi.site import Site
from wikiapi.store.models import Image, Page, Revision
from wikiapi.store.queries import files as stored_files
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.write.ids import Actors, Comments, Person, ensure_users, next_id
from wikiapi.title.namespaces import FILE
from wikiapi.title.title import Title

_BATCH = 200


@dataclass(slots=True)
class FilesReport:
    """What was imported; ``refused`` are file names with the reason."""

    imported: int = 0
    unchanged: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _MediaFile:
    path: Path
    title: Title
    facts: MediaFacts


def media_paths(folder: Path) -> list[Path]:
    """Return the files directly in a folder that may be imported, by name: no links, nothing
    hidden.

    Raises:
        DumpError: the folder cannot be read.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise DumpError(f"cannot read {folder}: {error.strerror}") from error
    return [
        path
        for path in entries
        if not path.name.startswith(".") and not path.is_symlink() and path.is_file()
    ]


def import_files(
    site: Site, paths: Sequence[Path], on_progress: Callable[[int], None] = lambda _: None
) -> FilesReport:
    """Import files into the image table, with a description page for each that has none.

    They are copied into the configured upload folder, where there is one. A file that the store has
    with another content is replaced. What cannot be imported is left out and reported.

    Raises:
        StoreError: the store cannot be written.
        DumpError: the upload folder cannot be written.
    """
    report = FilesReport()
    for start in range(0, len(paths), _BATCH):
        _import_batch(site, paths[start : start + _BATCH], report)
        on_progress(min(start + _BATCH, len(paths)))
    return report


def _import_batch(site: Site, paths: Sequence[Path], report: FilesReport) -> None:
    media = list(_readable(site, paths, report))
    known = stored_files.by_names(site.db, [item.title.dbkey for item in media])
    changed = []
    for item in media:
        row = known.get(item.title.dbkey)
        if row is not None and row.sha1 == item.facts.sha1:
            report.unchanged += 1
        else:
            changed.append(item)
    # The files first: a row whose file is not there yet would be a broken picture.
    for item in media:
        _store_file(site, item)
    with site.db.atomic():
        _make_pages(site, changed)
        _write_rows(site, changed)
        mark_users_of_files(site.db, (item.title.dbkey for item in changed))
        if changed:
            set_unfinished(site.db)
    report.imported += len(changed)


def _readable(site: Site, paths: Sequence[Path], report: FilesReport) -> Iterator[_MediaFile]:
    for path in paths:
        title = file_title(site, path.name)
        if title is None:
            report.refused.append((path.name, "no file can be called that"))
            continue
        try:
            yield _MediaFile(path, title, read_media(path))
        except BadMedia as error:
            report.refused.append((path.name, str(error)))
        except OSError as error:
            report.refused.append((path.name, error.strerror or str(error)))


def file_title(site: Site, name: str) -> Title | None:
    """Return the title of a file of this name; None for a name that no file can have."""
    if not name.isprintable():
        # Names that are no UTF-8 come with surrogates, which are not printable.
        return None
    title = site.titles.try_parse(name, FILE)
    if title is None or title.ns != FILE or title.interwiki or title.fragment:
        return None
    unsafe = title.dbkey.startswith(".") or any(mark in title.dbkey for mark in '/\\:*?"|\0')
    return None if unsafe or "." not in title.dbkey else title


def _store_file(site: Site, item: _MediaFile) -> None:
    config = site.config.files
    if not config.folder:
        return
    folder = Path(config.folder)
    target = folder / hash_path(item.title.dbkey, config.hash_levels) / item.title.dbkey
    if not target.resolve().is_relative_to(folder.resolve()):
        raise DumpError(f"{item.title.dbkey!r} would be outside the upload folder")
    if item.path.resolve() == target.resolve():
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Under another name first: readers see the old file or the new one, never a half.
        partial = target.with_name(f".{target.name}.partial")
        shutil.copyfile(item.path, partial)
        partial.replace(target)
    except OSError as error:
        raise DumpError(f"cannot write {target}: {error.strerror}") from error


def _make_pages(site: Site, media: Sequence[_MediaFile]) -> None:
    known = stored_pages.by_titles(site.db, [item.title.key for item in media])
    new = [item.title for item in media if item.title.key not in known]
    if new:
        records = _page_records(site, new)
        DumpImporter(site).import_records(records, Checkpoint("files"))


def _page_records(site: Site, titles: Sequence[Title]) -> Iterator[Record]:
    page_id = next_id(site.db, Page.page_id)
    rev_id = next_id(site.db, Revision.rev_id)
    for offset, title in enumerate(titles):
        number = rev_id + offset
        yield PageHead(page_id + offset, FILE, title.prefixed_text)
        yield _description(number)
        yield PageEnd(0)


def _description(number: int) -> DumpRevision:
    slots = (DumpSlot("main", "wikitext", ""),)
    return DumpRevision(number, 0, creation_time(number), AUTHOR, COMMENT, False, 0, slots)


def _write_rows(site: Site, media: Sequence[_MediaFile]) -> None:
    """Write the rows; an upload has the time of its description page, which never changes."""
    author = Person(AUTHOR.user_id, AUTHOR.name)
    actor = Actors(site.db).ids([author])[author]
    comment = Comments(site.db).ids([COMMENT])[COMMENT]
    ensure_users(site.db, [author])
    found = stored_pages.by_titles(site.db, [item.title.key for item in media])
    rows = [
        image_row(item.title.dbkey, item.facts, comment, actor, found[item.title.key].touched)
        for item in media
    ]
    site.db.insert_many(Image, rows, on_conflict="replace")
