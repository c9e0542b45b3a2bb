"""Writes the records of a dump to the store, in batches, inside the caller's transaction."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wikiapi.expiry import INFINITY
from wikiapi.importing.convert import (
    DumpTitles,
    ImportedPage,
    RefusedTitles,
    is_dbkey,
    new_page,
    new_revision,
    person,
)
from wikiapi.importing.deletion import note_displaced, note_in_dump
from wikiapi.importing.files.mediafile import media_type
from wikiapi.importing.xml.records import (
    DumpNamespace,
    DumpRevision,
    Hidden,
    LogItem,
    PageEnd,
    PageHead,
    Record,
    Upload,
)
from wikiapi.pages.archive import remove_rows, restore_revisions
from wikiapi.pages.links.derivation import has_links, mark_pages_using
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Image,
    Logging,
    OldImage,
    Page,
    PageRestrictions,
    Redirect,
)
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.revisions import TIMESTAMPS
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write.ids import Actors, Comments, Person, ensure_users
from wikiapi.store.write.revisions import NewRevision, RevisionWriter
from wikiapi.store.write.search import add_texts

_USERS_REMEMBERED = 100_000
_PENDING_REVISIONS = 1_000
_PENDING_BYTES = 8_388_608
_ENTRIES = ByValues(Logging.select(Logging.log_id), Logging.log_id)
_UNKNOWN_TYPE = "application/octet-stream"
_FILE_COLUMNS = (
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
_IMAGE_COLUMNS = tuple(f"img_{name}" for name in _FILE_COLUMNS)
_OLD_IMAGE_COLUMNS = (*(f"oi_{name}" for name in _FILE_COLUMNS), "oi_archive_name")
_RESTRICTION_COLUMNS = ("pr_page", "pr_type", "pr_level", "pr_cascade", "pr_expiry")


class RecordSink:
    """Writes the records of one dump.

    ``size`` (bytes of texts), ``revisions`` and ``log_entries`` count what was written.
    ``without_text`` counts revisions whose text is missing from the dump although it is not marked
    as suppressed. ``refused`` are the invalid titles.
    """

    def __init__(
        self, db: Database, namespaces: Iterable[DumpNamespace], *, for_pruning: bool = False
    ) -> None:
        """Write to this store; titles are read with ``namespaces`` until the dump gives its own.

        With ``for_pruning``, every page of the dump is recorded for
        :func:`~wikiapi.importing.deletion.prune`, including those that the store already has.
        """
        self._db = db
        self._for_pruning = for_pruning
        self._titles = DumpTitles(namespaces)
        self._revision_writer = RevisionWriter(db)
        self._page_writer = PageWriter(db)
        self._actors, self._comments = Actors(db), Comments(db)
        self._batch = Batch()
        self._page: OpenPage | None = None
        self._users: set[Person] = set()
        self._written: list[ImportedPage] = []
        self.refused = RefusedTitles()
        self.size = self.revisions = self.log_entries = self.without_text = 0

    def use_namespaces(self, namespaces: Iterable[DumpNamespace]) -> None:
        """Read titles with the namespaces that the dump declares."""
        self._titles = DumpTitles(namespaces)

    def add(self, record: Record) -> bool:
        """Add a record; return whether it completes a page or log entry."""
        if isinstance(record, DumpRevision):
            if self._page:
                self._batch.add_revision(self._page.add(record))
                if record.main.absent and not record.hidden & Hidden.TEXT:
                    self.without_text += 1
        elif isinstance(record, PageHead):
            key = self._titles.key(record.title, record.ns)
            if key is None:
                self.refused.add(record.title)
                self._page = None
            else:
                redirect = self._titles.find(record.redirect) if record.redirect else None
                self._page = OpenPage(record, key, redirect)
        elif isinstance(record, PageEnd):
            page = self._page.finished() if self._page else None
            self._page = None
            if page:
                if self._batch.clashes(page):
                    self.flush()
                self._batch.add_page(page)
        elif isinstance(record, LogItem):
            self._batch.add_log_item(record)
        elif isinstance(record, Upload) and self._page:
            self._batch.add_upload(record)
        if self._batch.full:
            self.flush()
        return isinstance(record, PageEnd | LogItem)

    def flush(self) -> None:
        """Write the current batch."""
        batch, self._batch = self._batch, Batch()
        if batch.revisions:
            new = [
                person
                for person in dict.fromkeys(row.person for row in batch.revisions)
                if person not in self._users
            ]
            ensure_users(self._db, new)
            if len(self._users) > _USERS_REMEMBERED:
                self._users.clear()
            self._users.update(new)
            restore_revisions(self._db, {row.rev_id: row.page_id for row in batch.revisions})
            self.revisions += self._revision_writer.add(batch.revisions)
        if batch.pages:
            self._written += self._page_writer.write(batch.pages)
            if self._for_pruning:
                note_in_dump(self._db, batch.pages)
        if batch.logs:
            self._write_log(batch.logs)
        if batch.uploads:
            self._write_uploads(batch.uploads)
        self.size += batch.size

    def finish_transaction(self) -> None:
        """Write the current batch, then the full-text index, which is best written last."""
        self.flush()
        self._page_writer.index()

    def take_written(self) -> list[ImportedPage]:
        """Return the pages written since the last call."""
        written, self._written = self._written, []
        return written

    def _write_log(self, items: Sequence[LogItem]) -> None:
        """Write log entries, except those that the store already has."""
        present = _ENTRIES.rows(self._db, (item.id for item in items))
        stored = {log_id for (log_id,) in present}
        items = [item for item in items if item.id not in stored]
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
        self.log_entries += len(rows)

    def _write_uploads(self, uploads: Sequence[Upload]) -> None:
        """Write versions of files, except invalid names and versions that the store already has.

        Dumps do not have the width and the height, which are 0.
        """
        uploads = [upload for upload in uploads if is_dbkey(upload.file_name.replace(" ", "_"))]
        actors = self._actors.ids(person(upload.contributor) for upload in uploads)
        comments = self._comments.ids(upload.comment for upload in uploads)
        current: list[tuple[Any, ...]] = []
        old: list[tuple[Any, ...]] = []
        for upload in uploads:
            name = upload.file_name.replace(" ", "_")
            mime = mimetypes.guess_type(name, strict=True)[0] or _UNKNOWN_TYPE
            major, _, minor = mime.partition("/")
            comment, actor = comments[upload.comment], actors[person(upload.contributor)]
            row = (
                *(name, upload.size, "", media_type(mime), major, minor),
                *(comment, actor, upload.timestamp, upload.sha1),
            )
            if upload.archive_name:
                old.append((*row, upload.archive_name))
            else:
                current.append(row)
        self._db.insert_many(Image, current, _IMAGE_COLUMNS, on_conflict="ignore")
        self._db.insert_many(OldImage, old, _OLD_IMAGE_COLUMNS, on_conflict="ignore")


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


class PageWriter:
    """Writes complete pages, whose revisions have been written, in batches.

    A batch must not contain two pages of the same id or title.
    """

    def __init__(self, db: Database) -> None:
        """Write to this store."""
        self._db = db
        # While a new store is filled there are no links, and no indexes to look them up with.
        self._has_links = has_links(db)
        self._texts: list[tuple[int, str, str]] = []

    def write(self, pages: Sequence[ImportedPage]) -> list[ImportedPage]:
        """Write the pages that are new or newer than the store's; return those written.

        A page replaces one of the same title and another id if it is newer, since between two
        dumps a page may be renamed and its old title used again.
        """
        accepted = self._replace_older(pages)
        if self._has_links:
            mark_pages_using(self._db, (page.key for page in accepted))
        self._db.insert_many(Page, (page.row for page in accepted))
        redirects = [
            (page.row.page_id, *page.redirect, "", "") for page in accepted if page.redirect
        ]
        self._db.insert_many(Redirect, redirects)
        restrictions = [
            (page.row.page_id, kind, level, 0, INFINITY)
            for page in accepted
            if page.restrictions
            for kind, level in parse_restrictions(page.restrictions).items()
        ]
        self._db.insert_many(PageRestrictions, restrictions, _RESTRICTION_COLUMNS)
        self._texts += [
            (page.row.page_id, page.row.title, page.latest.main.text) for page in accepted
        ]
        return accepted

    def index(self) -> None:
        """Add the pages to the full-text index; call this once, before the transaction ends.

        Adding many pages at once is faster than adding those of each batch.
        """
        texts, self._texts = self._texts, []
        add_texts(self._db, texts)

    def _replace_older(self, pages: Sequence[ImportedPage]) -> list[ImportedPage]:
        """Remove the stored pages that are older; return the pages that are not older."""
        by_id = stored_pages.by_ids(self._db, (page.row.page_id for page in pages))
        by_key = stored_pages.by_titles(self._db, (page.key for page in pages))
        if not by_id and not by_key:
            return list(pages)
        latest = (row.latest for row in (*by_id.values(), *by_key.values()))
        rows = TIMESTAMPS.rows(self._db, latest)
        ages = {rev_id: (timestamp, rev_id) for rev_id, timestamp in rows}
        accepted: list[ImportedPage] = []
        replaced: dict[int, PageRow] = {}
        for page in pages:
            rivals = [row for row in (by_id.get(page.row.page_id), by_key.get(page.key)) if row]
            if all(page.age > ages.get(row.latest, ("", 0)) for row in rivals):
                accepted.append(page)
                replaced.update((row.page_id, row) for row in rivals)
        if replaced:
            self.index()
            if self._has_links:
                mark_pages_using(self._db, (row.key for row in replaced.values()))
            kept = {page.row.page_id for page in accepted}
            note_displaced(self._db, (row for row in replaced.values() if row.page_id not in kept))
            remove_rows(self._db, list(replaced))
        return accepted


def parse_restrictions(text: str) -> dict[str, str]:
    """Return protection levels by action from ``edit=sysop:move=sysop``.

    A level without an action is that of both edit and move.
    """
    levels = {}
    for part in text.split(":"):
        kind, mark, level = part.partition("=")
        if mark:
            levels[kind.strip()] = level.strip()
        else:
            levels |= {"edit": kind.strip(), "move": kind.strip()}
    return {kind: level for kind, level in levels.items() if kind and level}
