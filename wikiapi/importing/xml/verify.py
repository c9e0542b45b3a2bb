"""Compares the pages, revisions and text hashes of a store with those of a dump."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from peewee import JOIN, fn

from wikiapi.importing.convert import DumpTitles, configured_namespaces, new_revision
from wikiapi.importing.xml.records import DumpRevision, PageEnd, PageHead, Record, SiteInfo
from wikiapi.site import Site
from wikiapi.store.check import Finding, Severity
from wikiapi.store.database import Database
from wikiapi.store.models import Actor, Comment, Page, Revision
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.revisions import TIMESTAMPS
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write.revisions import NewRevision
from wikiapi.texts import counted

_DUMP = "dump"
_IMPORT = "`wikiapi import` of this dump adds it."
_ANEW = "The store was changed or damaged: import the dump into a new one."
_OTHER = "They may come from other dumps or files; if not, import this dump into a new store."
_REFUSED = "MediaWiki's maintenance script cleanupTitles.php renames it in the wiki of the dump."
_HIDDEN = 1 | 2 | 4
REVISIONS_PER_BATCH = 500
_BATCH_BYTES = 8 * 1024 * 1024


class _Expected(NamedTuple):
    """A revision in the dump, with the key of its page."""

    key: Key
    row: NewRevision


class _Stored(NamedTuple):
    """A revision in the store."""

    page_id: int
    timestamp: str
    minor: int
    deleted: int
    length: int | None
    parent_id: int | None
    sha1: str
    person: str | None
    comment: str | None


class DumpComparison:
    """Compares a dump with the store, in batches, so that memory does not grow with the dump.

    ``pages`` and ``revisions`` count those compared.
    """

    def __init__(self, site: Site) -> None:
        """Compare with this site's store."""
        self._db = site.db
        self._titles = DumpTitles(configured_namespaces(site.namespaces))
        self._expected: list[_Expected] = []
        self._pages: list[tuple[int, Key, tuple[str, int]]] = []
        self._bytes = 0
        self._matched = 0
        self.pages = 0
        self.revisions = 0

    def compare(self, records: Iterable[Record]) -> Iterator[Finding]:
        """Yield a finding for each page or revision that is missing or differs.

        Raises:
            DumpError: the dump is malformed or hostile.
        """
        head: PageHead | None = None
        key: Key | None = None
        latest = ("", 0)
        for record in records:
            if isinstance(record, SiteInfo) and record.namespaces:
                self._titles = DumpTitles(record.namespaces)
            elif isinstance(record, PageHead):
                head, latest = record, ("", 0)
                key = self._titles.key(head.title, head.ns)
                if key is None:
                    problem = f"the dump's page {head.title!r} has an invalid title"
                    yield Finding(_DUMP, problem, _REFUSED, Severity.WARNING)
            elif isinstance(record, DumpRevision) and head and key:
                row = new_revision(record, head.id)
                self._expected.append(_Expected(key, row))
                self._bytes += row.length
                latest = max(latest, (record.timestamp, record.id))
                self.revisions += 1
            elif isinstance(record, PageEnd):
                if head and key and latest[1]:
                    self._pages.append((head.id, key, latest))
                    self.pages += 1
                key = None
            if len(self._expected) >= REVISIONS_PER_BATCH or self._bytes >= _BATCH_BYTES:
                yield from self._flush()
        yield from self._flush()
        count = int(self._db.scalar(Page.select(fn.COUNT(Page.page_id))))
        if count > self._matched:
            extra = counted(count - self._matched, "page that is", "pages that are")
            problem = f"the store has {extra} not in the dump"
            yield Finding(_DUMP, problem, _OTHER, Severity.NOTE)

    def _flush(self) -> Iterator[Finding]:
        pages, self._pages = self._pages, []
        expected, self._expected = self._expected, []
        self._bytes = 0
        yield from self._compare_pages(pages)
        yield from _compare_revisions(self._db, expected)

    def _compare_pages(self, pages: list[tuple[int, Key, tuple[str, int]]]) -> Iterator[Finding]:
        by_id = stored_pages.by_ids(self._db, (page_id for page_id, _, _ in pages))
        by_key = stored_pages.by_titles(self._db, (key for _, key, _ in pages))
        rows = [*by_id.values(), *by_key.values()]
        times: dict[int, str] = dict(TIMESTAMPS.rows(self._db, (row.latest for row in rows)))
        for page_id, key, latest in pages:
            row = by_id.get(page_id) or by_key.get(key)
            self._matched += page_id in by_id
            if row is None:
                yield Finding(_DUMP, "the page is not in the store", _IMPORT, page=key)
            elif problem := _page_problem(row, page_id, key, latest, times.get(row.latest, "")):
                yield Finding(_DUMP, problem, _IMPORT, page=key)


def _page_problem(
    row: PageRow, page_id: int, key: Key, latest: tuple[str, int], timestamp: str
) -> str:
    """Return how a page differs from the dump, "" if it does not or is in a newer state."""
    if (timestamp, row.latest) > latest:
        return ""
    if row.latest != latest[1]:
        return f"its latest revision is {row.latest}, in the dump {latest[1]}"
    if row.page_id != page_id:
        return f"its id is {row.page_id}, in the dump {page_id}"
    return (
        f"in the store it is {row.title!r} in namespace {row.namespace}" if row.key != key else ""
    )


_REVISIONS = ByValues(
    Revision.select(
        Revision.rev_id,
        Revision.rev_page,
        Revision.rev_timestamp,
        Revision.rev_minor_edit,
        Revision.rev_deleted,
        Revision.rev_len,
        Revision.rev_parent_id,
        Revision.rev_sha1,
        Actor.actor_name,
        Comment.comment_text,
    )
    .join_from(Revision, Actor, JOIN.LEFT_OUTER, on=(Actor.actor_id == Revision.rev_actor))
    .join_from(
        Revision, Comment, JOIN.LEFT_OUTER, on=(Comment.comment_id == Revision.rev_comment_id)
    ),
    Revision.rev_id,
)


def _compare_revisions(db: Database, expected: list[_Expected]) -> Iterator[Finding]:
    ids = [entry.row.rev_id for entry in expected]
    rows = _REVISIONS.rows(db, ids)
    stored = {row[0]: _Stored(*row[1:]) for row in rows}
    for key, row in expected:
        revision = stored.get(row.rev_id)
        place = f"revision {row.rev_id}"
        if revision is None:
            yield Finding(_DUMP, "it is not in the store", _IMPORT, page=key, place=place)
        else:
            for problem in _revision_problems(row, revision):
                yield Finding(_DUMP, problem, _ANEW, page=key, place=place)


def _revision_problems(row: NewRevision, stored: _Stored) -> Iterator[str]:
    pairs = (
        ("page", row.page_id, stored.page_id),
        ("time", row.timestamp, stored.timestamp),
        ("parent", row.parent_id, stored.parent_id or 0),
        ("minor flag", row.minor, stored.minor),
        ("visibility", row.deleted & _HIDDEN, stored.deleted & _HIDDEN),
        ("length", row.length, stored.length),
        ("hash of the text", row.sha1, stored.sha1),
        ("author", row.person.name, stored.person or ""),
        ("summary", row.comment, stored.comment or ""),
    )
    for what, there, here in pairs:
        if there != here:
            yield f"the {what} is {here!r}, in the dump {there!r}"
