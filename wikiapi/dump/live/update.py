"""Brings a store up to date with the live wiki that its pages came from.

Recent changes only tell what to look at. What a page is now, and whether it is, the wiki is asked
each time: so nothing depends on the order of moves and deletions, and anything may be done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from peewee import JOIN

from wikiapi.api.params.types.timestamp import before
from wikiapi.dump.checkpoint import set_unfinished, set_wiki_id, wiki_id
from wikiapi.dump.convert import new_revision
from wikiapi.dump.deletion import (
    delete_pages,
    remove_rows,
    restore_revisions,
    settle_displaced,
)
from wikiapi.dump.links.deriver import mark_users
from wikiapi.dump.live import answers
from wikiapi.dump.live.answers import Change, RemotePage, RemoteSite
from wikiapi.dump.live.facts import unusable
from wikiapi.dump.live.remote import (
    PER_REQUEST,
    Remote,
    Walk,
    load_position,
    load_walk,
    save_position,
    save_walk,
)
from wikiapi.dump.sink import RecordSink
from wikiapi.dump.xml.records import DumpNamespace, DumpRevision, PageEnd
from wikiapi.dump.xml.titles import DumpTitles, RefusedTitles
from wikiapi.errors import DumpError
from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.sql.batches import fetch_in
from wikiapi.store.sql.statements import chunked
from wikiapi.store.write.changes import newest
from wikiapi.store.write.ids import ensure_users
from wikiapi.store.write.revisions import RevisionWriter, existing_revisions

AFTER_DUMP = timedelta(days=1)
"""How long before the newest edit of a dump to begin: its pages were not read in one moment."""
OVERLAP = timedelta(minutes=1)
"""Overlap with the last update: some changes become visible later than others."""
RETENTION = timedelta(days=30)
"""For as long every wiki keeps its recent changes."""
_OWNERS = Revision.select(Revision.rev_id, Revision.rev_page)
_FIRST_REVISIONS = Revision.select(Revision.rev_page).where(Revision.rev_parent_id == 0)
_OLDER = ("restore", "import", "interwiki")
"""Actions that may add revisions to a page that are older than its newest one."""
_NOT_JUST_EDITED = (*_OLDER, "upload")


@dataclass(slots=True)
class UpdateReport:
    """What an update did. ``until`` is the time of the last change, 14 digits.

    ``refused`` are the titles of pages there that no page can have here.
    """

    since: str
    until: str
    changes: int = 0
    pages: int = 0
    revisions: int = 0
    deleted: int = 0
    refused: RefusedTitles = field(default_factory=RefusedTitles)


class LiveUpdate:
    """Updates a site's store. Links, counts and recent changes are to be derived afterwards."""

    def __init__(self, site: Site, remote: Remote, address: str) -> None:
        """Take the wiki; ``address`` is that of the API, under which the position is stored."""
        self._site, self._db = site, site.db
        self._remote = remote
        self._address = address

    def run(
        self, since: str | None = None, on_progress: Callable[[UpdateReport], None] = lambda _: None
    ) -> UpdateReport:
        """Take over what has changed ``since`` (14 digits), or since the last update.

        Each batch of changes is one transaction: after an interruption the next run continues, with
        the same batches, unless ``since`` says where to begin.

        Raises:
            DumpError: the wiki is another one, does not answer, answers what no wiki does, or no
                longer knows what changed. What was taken over before stays, whole batches of it.
            StoreError: the store cannot be written.
        """
        about = self._remote.site()
        self._check_wiki(about)
        walk = self._walk(since)
        reached = load_position(self._db, self._address) if walk.more else None
        self._check_reach(reached or walk.since, about.time, is_forced=since is not None)
        report = UpdateReport(walk.since, reached or walk.since)
        for changes, after in self._remote.changes(walk):
            # The last batch does not end the walk: unlisted revisions are still to be fetched.
            walk = after or walk
            _Batch(self._site, self._remote, about.namespaces, report).take(
                changes, partial(self._save, about, walk)
            )
            on_progress(report)
        report.revisions += self._take_unlisted(report.since)
        settle_displaced(self._db)
        # The time of the request: a wiki without changes for months is followed, too.
        with self._db.atomic():
            self._save(about, None, about.time)
        return report

    def _take_unlisted(self, since: str) -> int:
        """Write revisions that recent changes do not list; return their number.

        Recent changes do not list the redirects of moves. Nor do they list, once a title has been
        deleted, the edits of a page that was moved from that title. Such a revision is the parent
        of a newer one. Revisions from before ``since`` may be missing because no dump had them.
        """
        written, requested = 0, set[int]()
        while wanted := self._missing_parents(since) - requested:
            requested |= wanted
            found = self._remote.revisions(wanted)
            with self._db.atomic():
                here = stored_pages.by_ids(self._db, found)
                rows = [
                    new_revision(rev, page_id)
                    for page_id in here
                    for rev in found[page_id]
                    if rev.timestamp >= since
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

    def _walk(self, since: str | None) -> Walk:
        """Return the position at which to begin or to continue."""
        cut_short = None if since else load_walk(self._db, self._address)
        return cut_short or Walk(since or self._start(), {})

    def _save(self, about: RemoteSite, walk: Walk | None, moment: str) -> None:
        """Note how far the store has come, and of which wiki it is; call in a transaction."""
        if about.wiki_id and not wiki_id(self._db):
            set_wiki_id(self._db, about.wiki_id)
        save_position(self._db, self._address, moment)
        save_walk(self._db, self._address, walk)

    def _check_wiki(self, about: RemoteSite) -> None:
        name, known = about.wiki_id, wiki_id(self._db)
        if known and name and known != name:
            raise DumpError(f"this is the wiki {name!r}, but the store has {known!r}")

    def _start(self) -> str:
        if position := load_position(self._db, self._address):
            return before(position, OVERLAP)
        last = newest(self._db)
        if last is None:
            raise DumpError("the store is empty: import a dump of the wiki first")
        return before(last, AFTER_DUMP)

    def _check_reach(self, start: str, now: str, *, is_forced: bool) -> None:
        if is_forced or start >= before(now, RETENTION):
            return
        oldest = self._remote.oldest_change()
        if oldest is None or oldest > start:
            raise DumpError(
                f"the wiki's recent changes do not reach back to {start}, only to {oldest}: "
                "import a newer dump first"
            )


class _Batch:
    """Some changes: what they are about is requested, then written in one transaction."""

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

    def take(self, changes: Sequence[Change], save: Callable[[str], None]) -> None:
        """Write what follows from the changes; ``save`` notes in the transaction how far it is."""
        there = self._fetch(changes, self._concerned(changes))
        if losers := self._former_owners(there) - there.local.keys():
            there = self._fetch(changes, there.ids | losers)
        outdated = [row for row in there.local.values() if self._is_outdated(row, there)]
        for row in outdated:
            if row.page_id not in there.revisions:
                raise unusable(f"the newest revision of page {row.page_id} is missing")
        gone = [page_id for page_id in there.local if page_id not in there.pages]
        until = max(change.timestamp for change in changes)
        with self._db.atomic():
            deleted = delete_pages(self._db, gone)
            mark_users(self._db, [row.key for row in outdated])
            remove_rows(self._db, [row.page_id for row in outdated])
            changed = self._hide(there.revisions) + self._move(there.revisions)
            written = self._write(changes, there)
            if deleted or outdated or changed or written:
                set_unfinished(self._db)
            save(until)
        self._report.deleted += deleted
        self._report.changes += len(changes)
        self._report.until = max(self._report.until, until)

    def _concerned(self, changes: Sequence[Change]) -> set[int]:
        """Return the ids of the changed pages, here and there, from ids and titles of the log."""
        ids = {change.page_id for change in changes}
        named = {title for change in changes for title in change.titles}
        keys = {title: key for title in named if (key := self._titles.find(title))}
        ids |= {row.page_id for row in stored_pages.by_titles(self._db, keys.values()).values()}
        ids |= {page.id for page in self._remote.pages_titled(sorted(keys))}
        return ids - {0}

    def _fetch(self, changes: Sequence[Change], ids: set[int]) -> _LiveState:
        """Return the wiki's pages, and those whose titles they have taken."""
        pages = self._named(self._remote.pages(ids))
        if losers := self._losers(pages.values()) - ids:
            ids = ids | losers
            pages |= self._named(self._remote.pages(losers))
        if len({page.latest for page in pages.values()}) < len(pages):
            raise unusable("two pages have the same newest revision")
        local = stored_pages.by_ids(self._db, ids)
        whole = self._whole(changes, local) & pages.keys()
        wanted = self._missing_revisions(changes, local, pages)
        wanted |= {pages[page_id].latest for page_id in whole}
        revisions = self._remote.revisions(wanted)
        return _LiveState(ids, pages, local, whole, revisions)

    def _named(self, pages: Mapping[int, RemotePage]) -> dict[int, RemotePage]:
        """Return the pages that can be stored by their titles; the others are as good as gone."""
        found = {}
        for page in pages.values():
            if self._titles.key(page.title, page.ns):
                found[page.id] = page
            else:
                self._report.refused.add(page.title)
        return found

    def _losers(self, pages: Iterable[RemotePage]) -> set[int]:
        """Return the ids of moved or deleted local pages, whose titles have other pages there."""
        keys = [key for page in pages if (key := self._titles.key(page.title, page.ns))]
        return {row.page_id for row in stored_pages.by_titles(self._db, keys).values()}

    def _former_owners(self, there: _LiveState) -> set[int]:
        """Return the ids of local pages that lost revisions when histories were merged."""
        here = fetch_in(self._db, _OWNERS, Revision.rev_id, there.owners)
        return {page_id for rev_id, page_id in here if there.owners[rev_id] != page_id}

    def _is_renamed(self, row: PageRow, pages: Mapping[int, RemotePage]) -> bool:
        page = pages.get(row.page_id)
        return page is not None and self._titles.key(page.title, page.ns) != row.key

    def _is_outdated(self, row: PageRow, there: _LiveState) -> bool:
        """Return whether an existing page must be written again, even if it is not newer."""
        owner = there.owners.get(row.latest, row.page_id)
        return self._is_renamed(row, there.pages) or (
            row.page_id in there.pages and owner != row.page_id
        )

    def _missing_revisions(
        self,
        changes: Sequence[Change],
        local: Mapping[int, PageRow],
        pages: Mapping[int, RemotePage],
    ) -> set[int]:
        """Return the revisions to fetch: new, latest, and those whose visibility changed."""
        new = {change.rev_id for change in changes}
        new |= {page.latest for page in pages.values()}
        new -= existing_revisions(self._db, new) | {0}
        for row in local.values():
            page = pages.get(row.page_id)
            if page and (page.latest != row.latest or self._is_renamed(row, pages)):
                new.add(page.latest)
        return new | {number for change in changes for number in change.shown_or_hidden}

    def _hide(self, revisions: Mapping[int, Sequence[DumpRevision]]) -> int:
        """Let the revisions that are here already be as visible as they are there; how many."""
        changed = 0
        flags = {rev.id: rev.hidden for found in revisions.values() for rev in found}
        for number in set(flags.values()):
            ids = [rev_id for rev_id, hidden in flags.items() if hidden == number]
            differs = Revision.rev_id.in_(ids) & (Revision.rev_deleted != number)
            changed += self._db.execute_write(Revision.update(rev_deleted=number).where(differs))
        return changed

    def _move(self, revisions: Mapping[int, Sequence[DumpRevision]]) -> int:
        """Let the revisions that are here already belong to the pages that they belong to there."""
        moved = 0
        for page_id, found in revisions.items():
            strays = Revision.rev_id.in_([rev.id for rev in found]) & (Revision.rev_page != page_id)
            moved += self._db.execute_write(Revision.update(rev_page=page_id).where(strays))
        return moved

    def _write(self, changes: Sequence[Change], there: _LiveState) -> bool:
        """Write pages, revisions and log entries; return whether anything was new."""
        sink = RecordSink(self._db, self._namespaces)
        for page_id, page in there.pages.items():
            if known := there.revisions.get(page_id):
                sink.add(answers.page_head(page, known[-1], self._site.titles))
                for revision in self._history(page_id) if page_id in there.whole else known:
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
        """Yield all revisions of a page that is new here; none of them can be another page's."""
        for found in chunked(self._remote.history(page_id), PER_REQUEST):
            ids = [rev.id for rev in found]
            for number, owner in fetch_in(self._db, _OWNERS, Revision.rev_id, ids):
                if owner != page_id:
                    raise unusable(f"revision {number} of page {page_id} belongs to page {owner}")
            yield from found

    def _whole(self, changes: Sequence[Change], local: Mapping[int, PageRow]) -> set[int]:
        """Return the pages whose whole history is fetched.

        These are pages that are new here and were not just edited, and pages that may have got
        older revisions, if the store has their histories from the beginning.
        """
        logged = {(change.page_id, change.log.action) for change in changes if change.log}
        new = {page_id for page_id, action in logged if action in _NOT_JUST_EDITED} - {0, *local}
        known = {page_id for page_id, action in logged if action in _OLDER} & local.keys()
        complete = fetch_in(self._db, _FIRST_REVISIONS, Revision.rev_page, known)
        return new | {page_id for (page_id,) in complete}


class _LiveState(NamedTuple):
    """What is known of some pages.

    ``pages`` are as they are in the wiki, ``local`` as they are in the store. ``whole`` are the
    pages whose whole history is fetched; ``revisions`` are those to write of each page.
    """

    ids: set[int]
    pages: dict[int, RemotePage]
    local: dict[int, PageRow]
    whole: set[int]
    revisions: dict[int, list[DumpRevision]]

    @property
    def owners(self) -> dict[int, int]:
        """The page of each revision that was fetched."""
        return {rev.id: page_id for page_id, found in self.revisions.items() for rev in found}
