"""Takes records and writes what they say, in batches, inside the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.dump.batch import Batch, OpenPage
from wikiapi.dump.deletion import restore_revisions
from wikiapi.dump.logs import LogWriter
from wikiapi.dump.pagewriter import PageWriter
from wikiapi.dump.records import DumpRevision, Hidden, LogItem, PageEnd, PageHead, Upload
from wikiapi.dump.titles import DumpTitles, RefusedTitles
from wikiapi.dump.uploads import UploadWriter
from wikiapi.store.write.people import ensure_users
from wikiapi.store.write.revisions import RevisionWriter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.dump.batch import ImportedPage
    from wikiapi.dump.prune import SeenPages
    from wikiapi.dump.records import DumpNamespace, Record
    from wikiapi.store.database import Database
    from wikiapi.store.write.people import Person

_USERS_REMEMBERED = 100_000


class RecordSink:
    """Writes one dump.

    ``size`` (bytes of texts), ``revisions`` and ``log_entries`` count what was written, and
    ``without_text`` the revisions whose text the dump leaves out without a word. ``refused`` are
    the titles that no page can have.
    """

    def __init__(
        self, db: Database, namespaces: Iterable[DumpNamespace], seen: SeenPages | None = None
    ) -> None:
        """Write to this store; titles are read with these namespaces until a dump names its own.

        ``seen`` is told of every page of the dump, also of those that the store has already.
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
        """Read titles with the namespaces that the dump names."""
        self._titles = DumpTitles(namespaces)
        self._log_writer = LogWriter(self._db, self._titles)

    def add(self, record: Record) -> bool:
        """Take a record; tells whether a page or log entry is complete with it."""
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
        """Write everything that waits."""
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
        """Write everything that waits, and what is best written last."""
        self.flush()
        self._page_writer.index()

    def take_written(self) -> list[ImportedPage]:
        """The pages written since the last call."""
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
