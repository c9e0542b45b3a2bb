"""Updates a store from the live wiki that its pages came from.

Recent changes only tell which pages changed; their current state is requested from the wiki. So the
result does not depend on the order of moves and deletions, and an update may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from peewee import JOIN

from wikiapi.errors import DumpError
from wikiapi.importing.convert import DumpTitles, RefusedTitles, new_revision
from wikiapi.importing.deletion import settle_displaced
from wikiapi.importing.live import answers
from wikiapi.importing.live.answers import Change, RemotePage, RemoteSite
from wikiapi.importing.live.jsonobject import unusable
from wikiapi.importing.live.remote import (
    PER_REQUEST,
    Position,
    Remote,
    load_last_change,
    load_position,
    save_last_change,
    save_position,
)
from wikiapi.importing.origin import set_wiki_id, wiki_id
from wikiapi.importing.sink import RecordSink
from wikiapi.importing.xml.records import DumpNamespace, DumpRevision, PageEnd
from wikiapi.pages.archive import delete_pages, remove_rows, restore_revisions
from wikiapi.pages.links.derivation import mark_pages_using, set_unfinished
from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.sql.batches import chunked
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write.changes import newest
from wikiapi.store.write.ids import ensure_users
from wikiapi.store.write.revisions import RevisionWriter, existing_revisions
from wikiapi.timestamps import before

AFTER_DUMP = timedelta(days=1)
"""How long before the newest edit of a dump to begin: its pages were not all read at once."""
OVERLAP = timedelta(minutes=1)
"""Overlap with the last update: some changes become visible later than others."""
RETENTION = timedelta(days=30)
"""How long every wiki keeps its recent changes."""
_OWNERS = ByValues(Revision.select(Revision.rev_id, Revision.rev_page), Revision.rev_id)
_FIRST_REVISIONS = ByValues(
    Revision.select(Revision.rev_page).where(Revision.rev_parent_id == 0), Revision.rev_page
)
_OLDER = ("restore", "import", "interwiki")
"""Actions that may add revisions to a page that are older than its newest one."""
_NOT_ONLY_EDITED = (*_OLDER, "upload")


@dataclass(slots=True)
class UpdateReport:
    """What an update wrote. ``since`` and ``until`` are its first and last time, 14 digits.

    ``refused`` are the titles of pages that cannot be stored.
    """

    since: str
    until: str
    changes: int = 0
    pages: int = 0
    revisions: int = 0
    deleted: int = 0
    refused: RefusedTitles = field(default_factory=RefusedTitles)


class LiveUpdate:
    """Updates the store of a site. Links, counts and recent changes must be derived afterwards."""

    def __init__(self, site: Site, remote: Remote, address: str) -> None:
        """Update from ``remote``; the position is stored by ``address``, the URL of its API."""
        self._site, self._db = site, site.db
        self._remote = remote
        self._address = address

    def run(
        self, since: str | None = None, on_progress: Callable[[UpdateReport], None] = lambda _: None
    ) -> UpdateReport:
        """Write what has changed ``since`` (14 digits), or since the last update.

        Each batch of changes is one transaction: after an interruption the next run continues, with
        the same batches, unless ``since`` says where to begin.

        Raises:
            DumpError: the wiki is another one, does not answer, gives an invalid answer, or no
                longer lists the changes. Batches that were written before stay.
            StoreError: the store cannot be written.
        """
        about = self._remote.site()
        stored_id = wiki_id(self._db)
        if stored_id and about.wiki_id and stored_id != about.wiki_id:
            raise DumpError(f"this is the wiki {about.wiki_id!r}, but the store has {stored_id!r}")
        interrupted = None if since else load_position(self._db, self._address)
        position = interrupted or Position(since or self._start(), {})
        reached = load_last_change(self._db, self._address) if position.more else None
        start = reached or position.since
        if since is None:
            self._check_reach(start, about.time)
        report = UpdateReport(position.since, start)
        for changes, after in self._remote.changes(position):
            # Unlisted revisions are still to be fetched after the last batch, which has no next.
            position = after or position
            batch = _Batch(self._site, self._remote, about.namespaces, report)
            batch.write(changes, partial(self._save, about, position))
            on_progress(report)
        report.revisions += self._write_unlisted(report.since)
        settle_displaced(self._db)
        # The time of the request, so that a wiki without changes for months can be updated, too.
        with self._db.atomic():
            self._save(about, None, about.time)
        return report

    def _start(self) -> str:
        """Return the time to begin at: that of the last update, or that of the dump."""
        if last_change := load_last_change(self._db, self._address):
            return before(last_change, OVERLAP)
        last = newest(self._db)
        if last is None:
            raise DumpError("the store is empty: import a dump of the wiki first")
        return before(last, AFTER_DUMP)

    def _check_reach(self, start: str, now: str) -> None:
        """Check that the recent changes of the wiki reach back to a time."""
        if start >= before(now, RETENTION):
            return
        oldest = self._remote.oldest_change()
        if oldest is None or oldest > start:
            raise DumpError(
                f"the wiki's recent changes do not reach back to {start}, only to {oldest}: "
                "import a newer dump first"
            )

    def _save(self, about: RemoteSite, position: Position | None, time: str) -> None:
        """Store the position and the name of the wiki; call it in a transaction."""
        if about.wiki_id and not wiki_id(self._db):
            set_wiki_id(self._db, about.wiki_id)
        save_last_change(self._db, self._address, time)
        save_position(self._db, self._address, position)

    def _write_unlisted(self, since: str) -> int:
        """Write revisions that recent changes do not list; return their number.

        Recent changes do not list the redirects of moves. Nor do they list, once a title has been
        deleted, the edits of a page that was moved from that title. Such a revision is the parent
        of a newer one. Revisions from before ``since`` may be missing because no dump had them.
        """
        written, requested = 0, set[int]()
        while parents := self._missing_parents(since) - requested:
            requested |= parents
            revisions = self._remote.revisions(parents)
            with self._db.atomic():
                rows = [
                    new_revision(revision, page_id)
                    for page_id in stored_pages.by_ids(self._db, revisions)
                    for revision in revisions[page_id]
                    if revision.timestamp >= since
                ]
                ensure_users(self._db, [row.person for row in rows])
                restored = restore_revisions(self._db, {row.rev_id: row.page_id for row in rows})
                added = RevisionWriter(self._db).add(rows)
                if restored or added:
                    set_unfinished(self._db)
            written += added
        return written

    def _missing_parents(self, since: str) -> set[int]:
        parent = Revision.alias()
        query = (
            Revision.select(Revision.rev_parent_id)
            .join(parent, JOIN.LEFT_OUTER, on=parent.rev_id == Revision.rev_parent_id)
            .where(
                Revision.rev_timestamp >= since,
                Revision.rev_parent_id != 0,
                parent.rev_id.is_null(),
            )
        )
        return {row[0] for row in self._db.execute(query)}


class _Batch:
    """Requests the pages of some changes, and writes them in one transaction."""

    def __init__(
        self,
        site: Site,
        remote: Remote,
        namespaces: Sequence[DumpNamespace],
        report: UpdateReport,
    ) -> None:
        self._site, self._db, self._remote = site, site.db, remote
        self._titles = DumpTitles(namespaces)
        self._namespaces = namespaces
        self._report = report

    def write(self, changes: Sequence[Change], save: Callable[[str], None]) -> None:
        """Write the changed pages; ``save`` is called in the transaction, with the last timestamp.

        Raises:
            DumpError: an answer cannot be used.
        """
        state = self._fetch(changes, self._changed_pages(changes))
        # Pages of the store whose revisions belong to other pages in the wiki.
        owners = state.owners
        stored = _OWNERS.rows(self._db, owners)
        former = {page_id for rev_id, page_id in stored if owners[rev_id] != page_id}
        if displaced := former - state.local.keys():
            state = self._fetch(changes, state.ids | displaced)
            owners = state.owners
        # Pages that must be written again, even if their revisions are not newer.
        outdated = [
            row
            for page_id, row in state.local.items()
            if self._is_renamed(row, state.pages)
            or (page_id in state.pages and owners.get(row.latest, page_id) != page_id)
        ]
        for row in outdated:
            if row.page_id not in state.revisions:
                raise unusable(f"the newest revision of page {row.page_id} is missing")
        gone = [page_id for page_id in state.local if page_id not in state.pages]
        until = max(change.timestamp for change in changes)
        with self._db.atomic():
            deleted = delete_pages(self._db, gone)
            mark_pages_using(self._db, [row.key for row in outdated])
            remove_rows(self._db, [row.page_id for row in outdated])
            changed = self._update_visibility(state.revisions)
            changed += self._update_owners(state.revisions)
            written = self._write_records(changes, state)
            if deleted or outdated or changed or written:
                set_unfinished(self._db)
            save(until)
        self._report.deleted += deleted
        self._report.changes += len(changes)
        self._report.until = max(self._report.until, until)

    def _changed_pages(self, changes: Sequence[Change]) -> set[int]:
        """Return the ids of the changed pages, in the store and in the wiki."""
        ids = {change.page_id for change in changes}
        named = {title for change in changes for title in change.titles}
        keys = {title: key for title in named if (key := self._titles.find(title))}
        ids |= {row.page_id for row in stored_pages.by_titles(self._db, keys.values()).values()}
        ids |= {page.id for page in self._remote.pages_titled(sorted(keys))}
        return ids - {0}

    def _fetch(self, changes: Sequence[Change], ids: set[int]) -> _PagesState:
        """Request pages by id, and the local pages whose titles they have."""
        pages = self._storable(self._remote.pages(ids))
        # Local pages may have the titles of these pages.
        keys = [key for page in pages.values() if (key := self._titles.key(page.title, page.ns))]
        same_titles = stored_pages.by_titles(self._db, keys).values()
        if displaced := {row.page_id for row in same_titles} - ids:
            ids = ids | displaced
            pages |= self._storable(self._remote.pages(displaced))
        if len({page.latest for page in pages.values()}) < len(pages):
            raise unusable("two pages have the same newest revision")
        local = stored_pages.by_ids(self._db, ids)
        with_history = self._with_history(changes, local) & pages.keys()
        rev_ids = self._missing_revisions(changes, local, pages)
        rev_ids |= {pages[page_id].latest for page_id in with_history}
        revisions = self._remote.revisions(rev_ids)
        return _PagesState(ids, pages, local, with_history, revisions)

    def _storable(self, pages: Mapping[int, RemotePage]) -> dict[int, RemotePage]:
        """Return the pages whose titles can be stored; the others are reported as refused."""
        storable = {}
        for page in pages.values():
            if self._titles.key(page.title, page.ns):
                storable[page.id] = page
            else:
                self._report.refused.add(page.title)
        return storable

    def _is_renamed(self, row: PageRow, pages: Mapping[int, RemotePage]) -> bool:
        page = pages.get(row.page_id)
        return page is not None and self._titles.key(page.title, page.ns) != row.key

    def _missing_revisions(
        self,
        changes: Sequence[Change],
        local: Mapping[int, PageRow],
        pages: Mapping[int, RemotePage],
    ) -> set[int]:
        """Return the ids of the revisions to fetch: new, latest, and of changed visibility."""
        new = {change.rev_id for change in changes}
        new |= {page.latest for page in pages.values()}
        new -= existing_revisions(self._db, new) | {0}
        for row in local.values():
            page = pages.get(row.page_id)
            if page and (page.latest != row.latest or self._is_renamed(row, pages)):
                new.add(page.latest)
        return new | {number for change in changes for number in change.changed_visibility}

    def _update_visibility(self, revisions: Mapping[int, Sequence[DumpRevision]]) -> int:
        """Update the visibility of stored revisions; return how many have changed."""
        changed = 0
        flags = {rev.id: rev.hidden for of_page in revisions.values() for rev in of_page}
        for number in set(flags.values()):
            ids = [rev_id for rev_id, hidden in flags.items() if hidden == number]
            differs = Revision.rev_id.in_(ids) & (Revision.rev_deleted != number)
            changed += self._db.execute_write(Revision.update(rev_deleted=number).where(differs))
        return changed

    def _update_owners(self, revisions: Mapping[int, Sequence[DumpRevision]]) -> int:
        """Update the pages of stored revisions; return how many have changed."""
        moved = 0
        for page_id, of_page in revisions.items():
            ids = [revision.id for revision in of_page]
            strays = Revision.rev_id.in_(ids) & (Revision.rev_page != page_id)
            moved += self._db.execute_write(Revision.update(rev_page=page_id).where(strays))
        return moved

    def _write_records(self, changes: Sequence[Change], state: _PagesState) -> bool:
        """Write pages, revisions and log entries; return whether anything was new."""
        sink = RecordSink(self._db, self._namespaces)
        for page_id, page in state.pages.items():
            if revisions := state.revisions.get(page_id):
                sink.add(answers.page_head(page, revisions[-1], self._site.redirects))
                has_history = page_id in state.with_history
                for revision in self._history(page_id) if has_history else revisions:
                    sink.add(revision)
                sink.add(PageEnd(0))
        for change in changes:
            if change.log:
                sink.add(change.log)
        sink.finish_transaction()
        pages = len(sink.take_written())
        self._report.pages += pages
        self._report.revisions += sink.revisions
        return bool(pages or sink.revisions or sink.log_entries)

    def _history(self, page_id: int) -> Iterator[DumpRevision]:
        """Yield all revisions of a page.

        Raises:
            DumpError: the store has one of them as a revision of another page.
        """
        for revisions in chunked(self._remote.history(page_id), PER_REQUEST):
            ids = [revision.id for revision in revisions]
            for number, owner in _OWNERS.rows(self._db, ids):
                if owner != page_id:
                    raise unusable(f"revision {number} of page {page_id} belongs to page {owner}")
            yield from revisions

    def _with_history(self, changes: Sequence[Change], local: Mapping[int, PageRow]) -> set[int]:
        """Return the ids of the pages whose whole history is fetched.

        These are pages that the store does not have and that were not only edited, and pages that
        may have got older revisions, if the store has their first revision.
        """
        logged = {(change.page_id, change.log.action) for change in changes if change.log}
        new = {page_id for page_id, action in logged if action in _NOT_ONLY_EDITED} - {0, *local}
        stored = {page_id for page_id, action in logged if action in _OLDER} & local.keys()
        complete = _FIRST_REVISIONS.rows(self._db, stored)
        return new | {page_id for (page_id,) in complete}


class _PagesState(NamedTuple):
    """The state of some pages in the wiki and in the store.

    ``ids`` are those of all pages, ``pages`` are the pages in the wiki and ``local`` those in the
    store, by id. ``with_history`` are the ids of the pages whose whole history is fetched,
    ``revisions`` the revisions to write by page.
    """

    ids: set[int]
    pages: dict[int, RemotePage]
    local: dict[int, PageRow]
    with_history: set[int]
    revisions: dict[int, list[DumpRevision]]

    @property
    def owners(self) -> dict[int, int]:
        """The id of the page of each fetched revision."""
        return {
            revision.id: page_id
            for page_id, revisions in self.revisions.items()
            for revision in revisions
        }
