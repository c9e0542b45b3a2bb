"""Imports media files: their rows, their description pages, and the files themselves."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from wikiapi.config import FilesConfig
from wikiapi.errors import DumpError
from wikiapi.filerepo.durable import make_folder, sync
from wikiapi.filerepo.paths import hash_path
from wikiapi.filerepo.scaling import Size
from wikiapi.filerepo.sha1 import sha1_of_file
from wikiapi.importing.files.mediafile import (
    BadMedia,
    MediaFacts,
    image_row,
    media_type,
    read_media,
)
from wikiapi.importing.folder import AUTHOR, COMMENT, creation_time
from wikiapi.importing.importer import Checkpoint, DumpImporter
from wikiapi.importing.xml.records import (
    Contributor,
    DumpRevision,
    DumpSlot,
    PageEnd,
    PageHead,
    Record,
)
from wikiapi.pages.links.derivation import set_unfinished
from wikiapi.pages.links.update import mark_users_of_files
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
    """The result of an import; ``refused`` has file names with the reasons."""

    imported: int = 0
    unchanged: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


_MAINTENANCE = Person(AUTHOR.user_id, AUTHOR.name)
_UNKNOWN_SIZE = Size(0, 0)


@dataclass(frozen=True, slots=True)
class Origin:
    """Facts about a file that do not come from its content.

    Args:
        uploader: who uploaded it.
        comment: the upload summary.
        timestamp: the time of the upload, 14 digits; empty for that of the description page.
        text: the text of the description page, used if there is no page yet.
        mime: the MIME type, used for formats that wikiapi cannot read; empty if unknown.
        media_type: MediaWiki's media type such as ``VIDEO``, used for the same formats.
        size: width and height in pixels, used for the same formats.
    """

    uploader: Person = _MAINTENANCE
    comment: str = COMMENT
    timestamp: str = ""
    text: str = ""
    mime: str = ""
    media_type: str = ""
    size: Size = _UNKNOWN_SIZE


_OWN = Origin()


@dataclass(frozen=True, slots=True)
class _MediaFile:
    path: Path
    title: Title
    facts: MediaFacts
    origin: Origin


def media_paths(folder: Path) -> list[Path]:
    """Return the files directly in a folder, by name, without links and hidden files.

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
    site: Site,
    paths: Sequence[Path],
    on_progress: Callable[[int], None] = lambda _: None,
    *,
    origins: Mapping[Path, Origin] | None = None,
    move: bool = False,
) -> FilesReport:
    """Import files into the image table, with a description page for each that has none.

    If an upload folder is configured, they are copied to it, or moved with ``move``. A file whose
    content differs from the store's replaces it. Files that cannot be imported are reported as
    refused.

    Raises:
        StoreError: the store cannot be written.
        DumpError: the upload folder cannot be written.
    """
    report = FilesReport()
    for start in range(0, len(paths), _BATCH):
        media = list(_read_files(site, paths[start : start + _BATCH], origins or {}, report))
        _import_batch(site, media, report, move=move)
        on_progress(min(start + _BATCH, len(paths)))
    return report


def _import_batch(
    site: Site, media: Sequence[_MediaFile], report: FilesReport, *, move: bool
) -> None:
    rows = stored_files.by_names(site.db, [item.title.dbkey for item in media])
    changed = []
    for item in media:
        row = rows.get(item.title.dbkey)
        if row is not None and row.sha1 == item.facts.sha1:
            if row.size == item.facts.size and (row.width or not item.facts.width):
                report.unchanged += 1
                continue
            # The row comes from a dump: it has the uploader, but lacks facts about the content.
            item = replace(item, origin=_origin_of(row))
        changed.append(item)
    # Files are stored before rows, since a row without its file is a broken picture.
    _store_files(site.config.files, media, move=move)
    with site.db.atomic():
        # Create the description pages that do not exist.
        pages = stored_pages.by_titles(site.db, [item.title.key for item in changed])
        new = {item.title.key: item for item in changed if item.title.key not in pages}
        if new:
            records = _page_records(site, list(new.values()))
            DumpImporter(site).import_records(records, Checkpoint("files"))
        _write_rows(site, changed)
        mark_users_of_files(site.db, (item.title.dbkey for item in changed))
        if changed:
            set_unfinished(site.db)
    report.imported += len(changed)


def _origin_of(row: stored_files.FileVersion) -> Origin:
    if row.user_name is None:
        return replace(_OWN, timestamp=row.timestamp)
    uploader = Person(row.user_id or 0, row.user_name)
    return Origin(uploader, row.comment or "", row.timestamp)


def _read_files(
    site: Site, paths: Sequence[Path], origins: Mapping[Path, Origin], report: FilesReport
) -> Iterator[_MediaFile]:
    for path in paths:
        title = file_title(site, path.name)
        if title is None:
            report.refused.append((path.name, "no file can be called that"))
            continue
        origin = origins.get(path, _OWN)
        try:
            facts = read_media(path)
            if not facts.mime.startswith("image/"):
                # It is not read: the facts are those of its origin.
                mime, (width, height) = origin.mime or facts.mime, origin.size
                kind = origin.media_type or media_type(mime)
                facts = replace(facts, mime=mime, media_type=kind, width=width, height=height)
            yield _MediaFile(path, title, facts, origin)
        except BadMedia as error:
            report.refused.append((path.name, str(error)))
        except OSError as error:
            report.refused.append((path.name, error.strerror or str(error)))


def file_title(site: Site, name: str) -> Title | None:
    """Return the title of a file of this name, or None if the name is invalid."""
    if not name.isprintable():
        # A name that is not UTF-8 contains surrogates, which are not printable.
        return None
    title = site.titles.try_parse(unicodedata.normalize("NFC", name), FILE)
    if title is None or title.ns != FILE or title.interwiki or title.fragment:
        return None
    unsafe = title.dbkey.startswith(".") or any(mark in title.dbkey for mark in "/\\:\0")
    return None if unsafe or "." not in title.dbkey else title


def stored_path(config: FilesConfig, name: str) -> Path:
    """Return the path of a file of this name in the upload folder."""
    return Path(config.folder) / hash_path(name, config.hash_levels) / name


def on_disk(config: FilesConfig, name: str) -> Path | None:
    """Return the path of a file in the upload folder, in its hashed subfolder or directly."""
    for path in (stored_path(config, name), Path(config.folder) / name):
        if config.folder and path.is_file():
            return path
    return None


def has_content(path: Path, size: int, sha1: str) -> bool:
    """Return whether a file exists and has this size and SHA-1 (in base 36)."""
    return path.is_file() and path.stat().st_size == size and sha1_of_file(path) == sha1


def _store_files(config: FilesConfig, media: Sequence[_MediaFile], *, move: bool) -> None:
    """Store files durably in the upload folder, if there is one.

    Raises:
        DumpError: the folder cannot be written, or a file would be outside it.
    """
    if not config.folder:
        return
    root = Path(config.folder)
    targets = [stored_path(config, item.title.dbkey) for item in media]
    for item, target in zip(media, targets, strict=True):
        if not target.resolve().is_relative_to(root.resolve()):
            raise DumpError(f"{item.title.dbkey!r} would be outside the upload folder")
        with _writing(target):
            make_folder(target.parent, root)
            if item.path.resolve() != target.resolve():
                # Under another name first, so that readers never see part of a file.
                partial = target.with_name(f".{target.name}.partial")
                (shutil.move if move else shutil.copyfile)(item.path, partial)
                sync(partial)
                partial.replace(target)
    # Once for all of a folder's files. Files that were there already may not have been synced.
    for folder in {target.parent for target in targets}:
        with _writing(folder):
            sync(folder)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DumpError(f"cannot write {path}: {error.strerror}") from error


def _page_records(site: Site, media: Sequence[_MediaFile]) -> Iterator[Record]:
    page_id = next_id(site.db, Page.page_id)
    rev_id = next_id(site.db, Revision.rev_id)
    for number, item in enumerate(media):
        origin, rev = item.origin, rev_id + number
        author = Contributor(origin.uploader.name, origin.uploader.user_id)
        timestamp = origin.timestamp or creation_time(rev)
        slots = (DumpSlot("main", "wikitext", origin.text),)
        yield PageHead(page_id + number, FILE, item.title.prefixed_text)
        yield DumpRevision(rev, 0, timestamp, author, origin.comment, False, 0, slots)
        yield PageEnd(0)


def _write_rows(site: Site, media: Sequence[_MediaFile]) -> None:
    """Write the rows; an upload without a timestamp gets that of its description page."""
    actors = Actors(site.db).ids(item.origin.uploader for item in media)
    comments = Comments(site.db).ids(item.origin.comment for item in media)
    ensure_users(site.db, actors)
    pages = stored_pages.by_titles(site.db, [item.title.key for item in media])
    rows = [
        image_row(
            item.title.dbkey,
            item.facts,
            comments[item.origin.comment],
            actors[item.origin.uploader],
            item.origin.timestamp or pages[item.title.key].touched,
        )
        for item in media
    ]
    site.db.insert_many(Image, rows, on_conflict="replace")
