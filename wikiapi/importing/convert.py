"""Converts the records of a dump to rows of the store."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from wikiapi.importing.files.mediafile import media_type
from wikiapi.importing.xml.records import (
    Contributor,
    DumpRevision,
    DumpSlot,
    LogItem,
    PageHead,
    Upload,
)
from wikiapi.importing.xml.titles import DumpTitles, is_dbkey
from wikiapi.store.database import Database
from wikiapi.store.models import Image, Logging, OldImage
from wikiapi.store.sql.batches import fetch_in
from wikiapi.store.write.ids import Actors, Comments, Person
from wikiapi.store.write.revisions import NewPage, NewRevision, NewSlot, combined_sha1, sha1_base36

__all__ = ["new_revision"]

Key = tuple[int, str]


_DEFAULT_MODEL = "wikitext"
# The fractional parts of its multiples are spread evenly, and the same on every import.
_GOLDEN = 0.6180339887498949


def new_revision(revision: DumpRevision, page_id: int) -> NewRevision:
    """Return the rows of a revision."""
    main = new_slot(revision.slots[0], revision.id)
    slots: tuple[NewSlot, ...] = (main,)
    size, sha1 = main.size, main.sha1
    if len(revision.slots) > 1:
        slots = tuple(new_slot(slot, revision.id) for slot in revision.slots)
        size = sum(slot.size for slot in slots)
        sha1 = combined_sha1({slot.role: slot.sha1 for slot in slots})
    return NewRevision(
        revision.id,
        page_id,
        revision.parent_id,
        revision.timestamp,
        int(revision.minor),
        revision.hidden,
        person(revision.contributor),
        revision.comment,
        size,
        sha1,
        slots,
    )


def new_slot(slot: DumpSlot, revision: int) -> NewSlot:
    """Return the rows of a slot; the dump's size and hash are used only if it omits the text."""
    model = slot.model or _DEFAULT_MODEL
    origin = slot.origin if slot.origin != revision else 0
    if slot.absent:
        return NewSlot(slot.role, model, "", slot.size or 0, slot.sha1, origin)
    data = slot.text.encode()
    return NewSlot(slot.role, model, slot.text, len(data), sha1_base36(data), origin)


def person(contributor: Contributor) -> Person:
    """Return the row of ``actor`` for a contributor."""
    return Person(contributor.user_id, contributor.name)


def new_page(
    page_id: int, key: tuple[int, str], latest: DumpRevision, length: int, *, redirect: bool
) -> NewPage:
    """Return the row of a page, with its links marked as not derived yet."""
    return NewPage(
        page_id,
        *key,
        int(redirect),
        int(not latest.parent_id),
        round(page_id * _GOLDEN % 1, 12),
        latest.timestamp,
        None,
        latest.id,
        length,
        latest.main.model or _DEFAULT_MODEL,
        None,
    )


class LogWriter:
    """Writes log entries, except those that the store already has."""

    def __init__(self, db: Database, titles: DumpTitles) -> None:
        """Write to this store, and read titles with the namespaces of the dump."""
        self._db = db
        self._titles = titles
        self._actors, self._comments = Actors(db), Comments(db)

    def write(self, items: Sequence[LogItem]) -> int:
        """Write a batch; return the number of entries that are new."""
        query, ids = Logging.select(Logging.log_id), (item.id for item in items)
        known = {row[0] for row in fetch_in(self._db, query, Logging.log_id, ids)}
        items = [item for item in items if item.id not in known]
        actors = self._actors.ids(person(item.contributor) for item in items)
        comments = self._comments.ids(item.comment for item in items)
        rows = [
            (
                item.id,
                item.type,
                item.action,
                item.timestamp,
                actors[person(item.contributor)],
                *(self._titles.find(item.title) or (0, "")),
                None,
                comments[item.comment],
                item.params,
                item.hidden,
            )
            for item in items
        ]
        self._db.insert_many(Logging, rows, on_conflict="ignore")
        return len(rows)


_UNKNOWN = "application/octet-stream"
_COLUMNS = (
    "name",
    "size",
    "metadata",
    "media_type",
    "major_mime",
    "minor_mime",
    "description_id",
    "actor",
    "timestamp",
    "sha1",
)
_IMAGE = tuple(f"img_{name}" for name in _COLUMNS)
_OLD_IMAGE = (*(f"oi_{name}" for name in _COLUMNS), "oi_archive_name")


class UploadWriter:
    """Writes versions of files with a width and height of 0, except those that the store has."""

    def __init__(self, db: Database) -> None:
        """Write to this store."""
        self._db = db
        self._actors, self._comments = Actors(db), Comments(db)

    def write(self, uploads: Sequence[Upload]) -> None:
        """Write a batch, without uploads whose file name is invalid."""
        valid = [upload for upload in uploads if is_dbkey(upload.file_name.replace(" ", "_"))]
        actors = self._actors.ids(person(upload.contributor) for upload in valid)
        comments = self._comments.ids(upload.comment for upload in valid)
        current: list[tuple[Any, ...]] = []
        old: list[tuple[Any, ...]] = []
        for upload in valid:
            row = _row(upload, comments[upload.comment], actors[person(upload.contributor)])
            if upload.archive_name:
                old.append((*row, upload.archive_name))
            else:
                current.append(row)
        self._db.insert_many(Image, current, _IMAGE, on_conflict="ignore")
        self._db.insert_many(OldImage, old, _OLD_IMAGE, on_conflict="ignore")


def _row(upload: Upload, comment: int, actor: int) -> tuple[Any, ...]:
    name = upload.file_name.replace(" ", "_")
    mime = mimetypes.guess_type(name, strict=True)[0] or _UNKNOWN
    major, _, minor = mime.partition("/")
    return (
        name,
        upload.size,
        "",
        media_type(mime),
        major,
        minor,
        comment,
        actor,
        upload.timestamp,
        upload.sha1,
    )


_PENDING_REVISIONS = 1_000
_PENDING_BYTES = 8_388_608


@dataclass(slots=True)
class ImportedPage:
    """A page of which all revisions have been read: its row, and what is stored elsewhere."""

    row: NewPage
    latest: DumpRevision
    redirect: Key | None
    restrictions: str

    @property
    def key(self) -> Key:
        """(namespace, database key)."""
        return self.row.namespace, self.row.title

    @property
    def age(self) -> tuple[str, int]:
        """The timestamp and id of the latest revision, which order the states of a page."""
        return self.latest.timestamp, self.latest.id


class OpenPage:
    """The page whose revisions are being read."""

    def __init__(self, head: PageHead, key: Key, redirect: Key | None) -> None:
        """Start with no revisions."""
        self.head = head
        self.key = key
        self._redirect = redirect
        self._latest: DumpRevision | None = None
        self._length = 0

    def add(self, revision: DumpRevision) -> NewRevision:
        """Add a revision; return its rows."""
        rows = new_revision(revision, self.head.id)
        latest = self._latest
        if latest is None or (revision.timestamp, revision.id) >= (latest.timestamp, latest.id):
            self._latest, self._length = revision, rows.length
        return rows

    def finished(self) -> ImportedPage | None:
        """Return the page, or None for one without revisions."""
        latest = self._latest
        if latest is None:
            return None
        is_redirect = self.head.redirect is not None
        row = new_page(self.head.id, self.key, latest, self._length, redirect=is_redirect)
        return ImportedPage(row, latest, self._redirect, self.head.restrictions)


@dataclass(slots=True)
class Batch:
    """Rows to be written together; ``size`` is the approximate bytes of texts and comments."""

    revisions: list[NewRevision] = field(default_factory=list)
    pages: list[ImportedPage] = field(default_factory=list)
    logs: list[LogItem] = field(default_factory=list)
    uploads: list[Upload] = field(default_factory=list)
    size: int = 0
    _taken: set[int | Key] = field(default_factory=set)

    @property
    def full(self) -> bool:
        """Whether the batch is large enough to be written."""
        rows = len(self.revisions) + len(self.logs) + len(self.uploads)
        return rows >= _PENDING_REVISIONS or self.size >= _PENDING_BYTES

    def add_revision(self, revision: NewRevision) -> None:
        """Add a revision."""
        self.revisions.append(revision)
        self.size += revision.length + len(revision.comment)

    def add_log_item(self, item: LogItem) -> None:
        """Add a log entry."""
        self.logs.append(item)
        self.size += len(item.comment) + len(item.params) + len(item.title)

    def add_upload(self, upload: Upload) -> None:
        """Add a version of a file."""
        self.uploads.append(upload)
        self.size += len(upload.comment) + len(upload.file_name)

    def clashes(self, page: ImportedPage) -> bool:
        """Return whether the batch has a page of the same id or title, to be written first."""
        return page.row.page_id in self._taken or page.key in self._taken

    def add_page(self, page: ImportedPage) -> None:
        """Add a page."""
        self._taken |= {page.row.page_id, page.key}
        self.pages.append(page)
