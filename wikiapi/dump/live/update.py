"""Brings a store up to date with the live wiki that its pages came from.

Recent changes only tell what to look at. What a page is now, and whether it is, the wiki is asked
each time: so nothing depends on the order of moves and deletions, and anything may be done twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from wikiapi.dump.checkpoint import set_unfinished, set_wiki_id, wiki_id
from wikiapi.dump.deletion import delete_pages, remove_rows, settle_displaced
from wikiapi.dump.live import answers
from wikiapi.dump.live.position import (
    Walk,
    load_position,
    load_walk,
    save_position,
    save_walk,
)
from wikiapi.dump.records import PageEnd
from wikiapi.dump.sink import RecordSink
from wikiapi.dump.titles import DumpTitles
from wikiapi.dump.transcluders import mark_users
from wikiapi.errors import DumpError
from wikiapi.store import pages as stored_pages
from wikiapi.store.models import Revision
from wikiapi.store.write.changes import newest
from wikiapi.store.write.revisions import existing_revisions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from wikiapi.dump.live.remote import Remote
    from wikiapi.dump.records import DumpNamespace, DumpRevision
    from wikiapi.site import Site
    from wikiapi.store.pages import PageRow

    Data = Mapping[str, Any]

AFTER_DUMP = timedelta(days=1)
"""How long before the newest edit of a dump to begin: its pages were not read in one moment."""
OVERLAP = timedelta(minutes=1)
"""How far behind the last change to go on: some become visible later than others."""
KEPT = timedelta(days=30)
"""For as long every wiki keeps its recent changes."""
_COMPACT = "%Y%m%d%H%M%S"
_WHOLE = ("restore", "import", "interwiki", "upload")


@dataclass(slots=True)
class UpdateReport:
    """What an update did. ``until`` is the time of the last change, 14 digits."""

    since: str
    until: str
    changes: int = 0
    pages: int = 0
    revisions: int = 0
    deleted: int = 0


class LiveUpdate:
    """Updates a site's store. Links, counts and recent changes are to be derived afterwards."""

    def __init__(self, site: Site, remote: Remote, address: str) -> None:
        """``address`` is that of the API, by which the place to go on from is kept."""
        self._site, self._db = site, site.db
        self._remote = remote
        self._address = address

    def run(
        self, since: str | None = None, on_progress: Callable[[UpdateReport], None] = lambda _: None
    ) -> UpdateReport:
        """Take over what has changed ``since`` (14 digits), or since the last update.

        Each batch of changes is one transaction: after an interruption the next run goes on, with
        the same batches, unless ``since`` says where to begin.

        Raises:
            DumpError: the wiki is another one, does not answer, or no longer knows what changed.
            StoreError: the store cannot be written.
        """
        about = self._remote.site()
        self._check_wiki(about)
        walk = self._walk(since)
        reached = load_position(self._db, self._address) if walk.more else None
        self._check_reach(reached or walk.since, about["time"], is_forced=since is not None)
        report = UpdateReport(walk.since, reached or walk.since)
        namespaces = answers.namespaces(about)
        for changes, after in self._remote.changes(walk):
            _Batch(self._site, self._remote, namespaces, report).take(
                changes, partial(self._save, after)
            )
            on_progress(report)
        settle_displaced(self._db)
        # The time at which the wiki was asked: a wiki that is quiet for months is followed, too.
        self._save(None, about["time"])
        return report

    def _walk(self, since: str | None) -> Walk:
        """Where to begin, or to go on."""
        cut_short = None if since else load_walk(self._db, self._address)
        return cut_short or Walk(since or self._start(), {})

    def _save(self, walk: Walk | None, moment: str) -> None:
        save_position(self._db, self._address, moment)
        save_walk(self._db, self._address, walk)

    def _check_wiki(self, about: Data) -> None:
        name, known = about["general"].get("wikiid", ""), wiki_id(self._db)
        if known and name and known != name:
            raise DumpError(f"this is the wiki {name!r}, the store holds {known!r}")
        if name and not known:
            set_wiki_id(self._db, name)

    def _start(self) -> str:
        if position := load_position(self._db, self._address):
            return _before(position, OVERLAP)
        last = newest(self._db)
        if last is None:
            raise DumpError("the store is empty: import a dump of the wiki first")
        return _before(last, AFTER_DUMP)

    def _check_reach(self, start: str, now: str, *, is_forced: bool) -> None:
        if is_forced or start >= _before(now, KEPT):
            return
        oldest = self._remote.oldest_change()
        if oldest is None or oldest > start:
            raise DumpError(
                f"the wiki no longer knows what changed since {start}, only since {oldest}: "
                "import a newer dump first"
            )


class _Batch:
    """Some changes: what they are about is asked for, then written in one transaction."""

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

    def take(self, changes: Sequence[Data], save: Callable[[str], None]) -> None:
        """Write what follows from the changes; ``save`` notes in the transaction how far it is."""
        ids = self._concerned(changes)
        remote = self._remote.pages(ids)
        if losers := self._losers(remote.values()) - ids:
            ids |= losers
            remote |= self._remote.pages(losers)
        local = stored_pages.by_ids(self._db, ids)
        gone = [page_id for page_id in local if page_id not in remote]
        renamed = [row for row in local.values() if self._is_renamed(row, remote)]
        wanted = self._wanted(changes, local, remote, {row.page_id for row in renamed})
        revisions = self._remote.revisions(wanted)
        until = max(answers.stamp(change["timestamp"]) for change in changes)
        with self._db.atomic():
            deleted = delete_pages(self._db, gone)
            mark_users(self._db, [row.key for row in renamed])
            remove_rows(self._db, [row.page_id for row in renamed])
            hidden = self._hide(revisions)
            written = self._write(changes, remote, revisions, whole=self._whole(changes, local))
            if deleted or renamed or hidden or written:
                set_unfinished(self._db)
            save(until)
        self._report.deleted += deleted
        self._report.changes += len(changes)
        self._report.until = max(self._report.until, until)

    def _concerned(self, changes: Sequence[Data]) -> set[int]:
        """Ids of the pages that changed, here and there, by their ids and by titles of the log."""
        ids = {change.get("pageid", 0) for change in changes}
        titles = {title for change in changes for title in _titles_of(change)}
        keys = [key for title in titles if (key := self._titles.find(title))]
        ids |= {row.page_id for row in stored_pages.by_titles(self._db, keys).values()}
        ids |= {page["pageid"] for page in self._remote.pages_titled(sorted(titles))}
        return ids - {0}

    def _losers(self, pages: Iterable[Data]) -> set[int]:
        """Ids of the pages here whose titles belong to others there: they moved or are gone."""
        keys = [key for page in pages if (key := self._titles.key(page["title"], page["ns"]))]
        return {row.page_id for row in stored_pages.by_titles(self._db, keys).values()}

    def _is_renamed(self, row: PageRow, remote: Mapping[int, Data]) -> bool:
        page = remote.get(row.page_id)
        return page is not None and self._titles.key(page["title"], page["ns"]) != row.key

    def _wanted(
        self,
        changes: Sequence[Data],
        local: Mapping[int, PageRow],
        remote: Mapping[int, Data],
        renamed: set[int],
    ) -> set[int]:
        """Revisions to fetch: new ones, the latest of each page, those whose visibility changed."""
        new = {change.get("revid", 0) for change in changes}
        new |= {page["lastrevid"] for page in remote.values()}
        new -= existing_revisions(self._db, new) | {0}
        new |= {remote[page_id]["lastrevid"] for page_id in renamed}
        rows = (local[page_id] for page_id in local if page_id in remote)
        new |= {remote[row.page_id]["lastrevid"] for row in rows if _is_behind(row, remote)}
        return new | {number for change in changes for number in _shown_or_hidden(change)}

    def _whole(self, changes: Sequence[Data], local: Mapping[int, PageRow]) -> set[int]:
        """Pages whose whole history is to be fetched: unknown here, and not just edited there."""
        return {
            change["pageid"]
            for change in changes
            if change.get("logaction") in _WHOLE and change.get("pageid", 0) not in {0, *local}
        }

    def _hide(self, revisions: Mapping[int, Sequence[DumpRevision]]) -> int:
        """Let the revisions that are here already be as visible as they are there; how many."""
        changed = 0
        flags = {rev.id: rev.hidden for found in revisions.values() for rev in found}
        for number in set(flags.values()):
            ids = [rev_id for rev_id, hidden in flags.items() if hidden == number]
            differs = Revision.rev_id.in_(ids) & (Revision.rev_deleted != number)
            changed += self._db.run(Revision.update(rev_deleted=number).where(differs))
        return changed

    def _write(
        self,
        changes: Sequence[Data],
        remote: Mapping[int, Data],
        revisions: Mapping[int, Sequence[DumpRevision]],
        *,
        whole: set[int],
    ) -> bool:
        """Write pages, revisions and log entries; says whether anything was new."""
        sink = RecordSink(self._db, self._namespaces)
        for page_id, page in remote.items():
            if known := revisions.get(page_id):
                sink.add(answers.page_head(page, known[-1], self._site.titles))
                for revision in self._remote.history(page_id) if page_id in whole else known:
                    sink.add(revision)
                sink.add(PageEnd(0))
        for change in changes:
            if change.get("logid"):
                sink.add(answers.log_item(change))
        sink.finish_transaction()
        pages = len(sink.take_written())
        self._report.pages += pages
        self._report.revisions += sink.revisions
        return bool(pages or sink.revisions or sink.log_entries)


def _is_behind(row: PageRow, remote: Mapping[int, Data]) -> bool:
    return bool(row.latest != remote[row.page_id]["lastrevid"])


def _titles_of(change: Data) -> Iterator[str]:
    """The titles that a log entry names: an edit's page is known by its id."""
    if change.get("logid"):
        if title := change.get("title"):
            yield title
        if target := (change.get("logparams") or {}).get("target_title"):
            yield target


def _shown_or_hidden(change: Data) -> Iterator[int]:
    params = change.get("logparams") or {}
    if change.get("logtype") == "delete" and params.get("type") == "revision":
        yield from (int(number) for number in params.get("ids", ()))


def _before(moment: str, span: timedelta) -> str:
    return (datetime.strptime(moment, _COMPACT).replace(tzinfo=UTC) - span).strftime(_COMPACT)
