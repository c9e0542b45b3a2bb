"""Writes the records of a dump to the store, in batches, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wikiapi.expiry import INFINITY
from wikiapi.importing.convert import Batch, ImportedPage, LogWriter, OpenPage, UploadWriter
from wikiapi.importing.deletion import SeenPages, note_displaced
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
from wikiapi.importing.xml.titles import DumpTitles, RefusedTitles
from wikiapi.pages.archive import remove_rows, restore_revisions
from wikiapi.pages.links.derivation import has_links, mark_pages_using
from wikiapi.store.database import Database
from wikiapi.store.models import Page, PageRestrictions, Redirect, Revision
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.sql.batches import fetch_in
from wikiapi.store.write.ids import Person, ensure_users
from wikiapi.store.write.revisions import RevisionWriter
from wikiapi.store.write.search import add_texts

_USERS_REMEMBERED = 100_000
_TIMESTAMPS = Revision.select(Revision.rev_id, Revision.rev_timestamp)


class RecordSink:
    """Writes the records of one dump.

    ``size`` (bytes of texts), ``revisions`` and ``log_entries`` count what was written.
    ``without_text`` counts revisions whose text is missing from the dump although it is not marked
    as suppressed. ``refused`` are the invalid titles.
    """

    def __init__(
        self, db: Database, namespaces: Iterable[DumpNamespace], seen: SeenPages | None = None
    ) -> None:
        """Write to this store; titles are read with ``namespaces`` until the dump gives its own.

        ``seen`` records every page of the dump, including those that the store already has.
        """
        self._db = db
        self._seen = seen
        self._titles = DumpTitles(namespaces)
        self._revision_writer = RevisionWriter(db)
        self._page_writer = PageWriter(db)
        self._log_writer = LogWriter(db, self._titles)
        self._upload_writer = UploadWriter(db)
        self._batch = Batch()
        self._page: OpenPage | None = None
        self._users: set[Person] = set()
        self._written: list[ImportedPage] = []
        self.refused = RefusedTitles()
        self.size = self.revisions = self.log_entries = self.without_text = 0

    def use_namespaces(self, namespaces: Iterable[DumpNamespace]) -> None:
        """Read titles with the namespaces that the dump declares."""
        self._titles = DumpTitles(namespaces)
        self._log_writer = LogWriter(self._db, self._titles)

    def add(self, record: Record) -> bool:
        """Add a record; return whether it completes a page or log entry."""
        if isinstance(record, DumpRevision):
            self._add_revision(record)
        elif isinstance(record, PageHead):
            self._begin_page(record)
        elif isinstance(record, PageEnd):
            self._end_page()
            return True
        elif isinstance(record, LogItem):
            self._batch.add_log_item(record)
            self._flush_if_full()
            return True
        elif isinstance(record, Upload):
            self._add_upload(record)
        return False

    def flush(self) -> None:
        """Write the current batch."""
        batch, self._batch = self._batch, Batch()
        if batch.revisions:
            self._ensure_users(row.person for row in batch.revisions)
            restore_revisions(self._db, {row.rev_id: row.page_id for row in batch.revisions})
            self.revisions += self._revision_writer.add(batch.revisions)
        if batch.pages:
            self._written += self._page_writer.write(batch.pages)
            if self._seen is not None:
                self._seen.add(batch.pages)
        if batch.logs:
            self.log_entries += self._log_writer.write(batch.logs)
        if batch.uploads:
            self._upload_writer.write(batch.uploads)
        self.size += batch.size

    def finish_transaction(self) -> None:
        """Write the current batch, then the full-text index, which is best written last."""
        self.flush()
        self._page_writer.index()

    def take_written(self) -> list[ImportedPage]:
        """Return the pages written since the last call."""
        written, self._written = self._written, []
        return written

    def _begin_page(self, head: PageHead) -> None:
        key = self._titles.key(head.title, head.ns)
        if key is None:
            self.refused.add(head.title)
            self._page = None
            return
        redirect = self._titles.find(head.redirect) if head.redirect else None
        self._page = OpenPage(head, key, redirect)

    def _add_revision(self, revision: DumpRevision) -> None:
        if self._page:
            self._batch.add_revision(self._page.add(revision))
            if revision.main.absent and not revision.hidden & Hidden.TEXT:
                self.without_text += 1
            self._flush_if_full()

    def _add_upload(self, upload: Upload) -> None:
        if self._page:
            self._batch.add_upload(upload)
            self._flush_if_full()

    def _end_page(self) -> None:
        page, self._page = self._page, None
        finished = page.finished() if page else None
        if finished:
            if self._batch.clashes(finished):
                self.flush()
            self._batch.add_page(finished)

    def _flush_if_full(self) -> None:
        if self._batch.full:
            self.flush()

    def _ensure_users(self, people: Iterable[Person]) -> None:
        new = [person for person in dict.fromkeys(people) if person not in self._users]
        ensure_users(self._db, new)
        if len(self._users) > _USERS_REMEMBERED:
            self._users.clear()
        self._users.update(new)


_RESTRICTION_COLUMNS = ("pr_page", "pr_type", "pr_level", "pr_cascade", "pr_expiry")


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
        accepted = self._settle(pages)
        if self._has_links:
            mark_pages_using(self._db, (page.key for page in accepted))
        self._db.insert_many(Page, (page.row for page in accepted))
        self._db.insert_many(Redirect, _redirects(accepted))
        self._db.insert_many(PageRestrictions, _restrictions(accepted), _RESTRICTION_COLUMNS)
        self._texts += _texts(accepted)
        return accepted

    def index(self) -> None:
        """Add the pages to the full-text index; call this once, before the transaction ends.

        The index would otherwise be written out at every savepoint.
        """
        texts, self._texts = self._texts, []
        add_texts(self._db, texts)

    def _settle(self, pages: Sequence[ImportedPage]) -> list[ImportedPage]:
        by_id = stored_pages.by_ids(self._db, (page.row.page_id for page in pages))
        by_key = stored_pages.by_titles(self._db, (page.key for page in pages))
        if not by_id and not by_key:
            return list(pages)
        ages = self._ages([*by_id.values(), *by_key.values()])
        accepted: list[ImportedPage] = []
        replaced: dict[int, PageRow] = {}
        for page in pages:
            rivals = [row for row in (by_id.get(page.row.page_id), by_key.get(page.key)) if row]
            if all(page.age > ages.get(row.latest, ("", 0)) for row in rivals):
                accepted.append(page)
                replaced.update((row.page_id, row) for row in rivals)
        self._remove(replaced, {page.row.page_id for page in accepted})
        return accepted

    def _ages(self, rows: Sequence[PageRow]) -> dict[int, tuple[str, int]]:
        found = fetch_in(self._db, _TIMESTAMPS, Revision.rev_id, (row.latest for row in rows))
        return {rev_id: (timestamp, rev_id) for rev_id, timestamp in found}

    def _remove(self, rows: dict[int, PageRow], returning: set[int]) -> None:
        if not rows:
            return
        self.index()
        if self._has_links:
            mark_pages_using(self._db, (row.key for row in rows.values()))
        note_displaced(self._db, (row for row in rows.values() if row.page_id not in returning))
        remove_rows(self._db, list(rows))


def _redirects(pages: Sequence[ImportedPage]) -> Iterator[tuple[Any, ...]]:
    for page in pages:
        if page.redirect:
            yield page.row.page_id, *page.redirect, "", ""


def _restrictions(pages: Sequence[ImportedPage]) -> Iterator[tuple[Any, ...]]:
    for page in pages:
        if page.restrictions:
            for kind, level in parse_restrictions(page.restrictions).items():
                yield page.row.page_id, kind, level, 0, INFINITY


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


def _texts(pages: Sequence[ImportedPage]) -> Iterator[tuple[int, str, str]]:
    for page in pages:
        yield page.row.page_id, page.row.title, page.latest.main.text
