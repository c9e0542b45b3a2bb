"""Compares recorded sizes, hashes and counts with the texts and rows that they describe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from peewee import fn

from wikiapi.errors import StoreCorrupt
from wikiapi.store.check import Finding, Severity, references
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Category,
    CategoryLinks,
    Content,
    LinkTarget,
    Page,
    Revision,
    SlotRoles,
    Slots,
    Text,
)
from wikiapi.store.queries import sitestats
from wikiapi.store.queries.texts import stored_bytes, text_id
from wikiapi.store.queries.visibility import TEXT, is_hidden
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.sql.nodes import RawBytes
from wikiapi.store.write.counts import site_counts
from wikiapi.store.write.revisions import combined_sha1, sha1_base36
from wikiapi.title.namespaces import CATEGORY

_CONTENTS = "texts"
_DAMAGED = "The text is damaged: import the dump again into a new store."
_RECORDS = "The text may be right: `wikiapi check DUMP` compares it with the dump."
_WITHHELD = "A dump of pages with texts (pages-articles, pages-meta-history) contains it."
_ELSEWHERE = "Export it with MediaWiki's own dumpBackup.php and import that."

REVISIONS_PER_BATCH = 500
BYTES_PER_FETCH = 8 * 1024 * 1024
"""Maximum size of the texts that are in memory at once, according to their recorded sizes."""


class _SlotRow(NamedTuple):
    revision: int
    deleted: int
    length: int | None
    revision_sha1: str
    role: str
    size: int
    sha1: str
    address: str


class _Measured(NamedTuple):
    """The actual size in bytes and hash of a text."""

    size: int
    sha1: str


_SLOTS = ByValues(
    Revision.select(
        Revision.rev_id,
        Revision.rev_deleted,
        Revision.rev_len,
        Revision.rev_sha1,
        SlotRoles.role_name,
        Content.content_size,
        Content.content_sha1,
        Content.content_address,
    )
    .join_from(Revision, Slots, on=(Slots.slot_revision_id == Revision.rev_id))
    .join_from(Slots, SlotRoles, on=(SlotRoles.role_id == Slots.slot_role_id))
    .join_from(Slots, Content, on=(Content.content_id == Slots.slot_content_id))
    .order_by(Revision.rev_id, Slots.slot_role_id),
    Revision.rev_id,
)
_TEXTS = ByValues(Text.select(Text.old_id, RawBytes(Text.old_text), Text.old_flags), Text.old_id)


def check_contents(
    db: Database, on_progress: Callable[[int], None] = lambda _: None
) -> Iterator[Finding]:
    """Yield findings about the texts of all revisions, which are read in batches.

    ``on_progress`` is called with the number of revisions checked so far.
    """
    last = done = 0
    select = Revision.select(Revision.rev_id).order_by(Revision.rev_id).limit(REVISIONS_PER_BATCH)
    while ids := [row[0] for row in db.execute(select.where(Revision.rev_id > last))]:
        rows = [_SlotRow(*row) for row in _SLOTS.rows(db, ids)]
        measured = _measure(db, rows)
        findings = [finding for row in rows for finding in _of_slot(row, measured)]
        findings += _of_revisions(rows)
        by_revision: dict[int, list[Finding]] = defaultdict(list)
        for located in findings:
            by_revision[located.revision].append(located.finding)
        keys = references.of_revisions(db, by_revision)
        for revision, own in by_revision.items():
            yield from (finding._replace(page=keys.get(revision)) for finding in own)
        last, done = ids[-1], done + len(ids)
        on_progress(done)
    columns = (Page.page_namespace, Page.page_title, Page.page_len, Revision.rev_len)
    query = Page.select(*columns).join(Revision, on=(Revision.rev_id == Page.page_latest))
    query = query.where(Page.page_len != Revision.rev_len).order_by(Page.page_id)
    for namespace, title, length, expected in db.execute(query.limit(1_000)):
        problem = f"page_len is {length}, its latest revision has {expected} bytes"
        yield Finding(_CONTENTS, problem, _RECORDS, page=(namespace, title))


class _Unreadable(NamedTuple):
    reason: str


def _measure(db: Database, rows: Sequence[_SlotRow]) -> dict[str, _Measured | _Unreadable]:
    measures: dict[str, _Measured | _Unreadable] = {}
    for addresses in _portions(rows):
        numbers: dict[int, str] = {}
        for address in addresses:
            try:
                numbers[text_id(address)] = address
            except StoreCorrupt as error:
                measures[address] = _Unreadable(str(error))
        for number, raw, flags in _TEXTS.rows(db, numbers):
            measures[numbers[number]] = _measured(raw, flags)
    return measures


def _portions(rows: Iterable[_SlotRow]) -> Iterator[list[str]]:
    portion: dict[str, None] = {}
    size = 0
    for row in rows:
        if portion and size + row.size > BYTES_PER_FETCH:
            yield list(portion)
            portion, size = {}, 0
        if row.address not in portion:
            portion[row.address] = None
            size += row.size
    if portion:
        yield list(portion)


def _measured(raw: bytes | str, flags: str) -> _Measured | _Unreadable:
    try:
        data = stored_bytes(raw, flags)
    except StoreCorrupt as error:
        return _Unreadable(str(error))
    return _Measured(len(data), sha1_base36(data))


class _Located(NamedTuple):
    """A finding whose page has not been looked up yet."""

    revision: int
    finding: Finding


def _of_slot(row: _SlotRow, measured: dict[str, _Measured | _Unreadable]) -> Iterator[_Located]:
    text = measured.get(row.address)
    if text is None:
        return  # a dangling reference, which check_references reports
    slot = "" if row.role == "main" else f" of the slot {row.role}"
    if isinstance(text, _Unreadable):
        yield _located(row, text.reason, _ELSEWHERE, Severity.WARNING)
    elif not text.size and row.size:
        if not is_hidden(row.deleted, TEXT):
            problem = f"the text{slot} is not in the store ({row.size} bytes)"
            yield _located(row, problem, _WITHHELD, Severity.WARNING)
    elif text.size != row.size:
        problem = f"the text{slot} has {text.size} bytes, not {row.size}"
        yield _located(row, problem, _DAMAGED)
    elif row.sha1 and text.sha1 != row.sha1:
        yield _located(row, f"the text{slot} has the hash {text.sha1}, not {row.sha1}", _DAMAGED)


def _of_revisions(rows: Iterable[_SlotRow]) -> Iterator[_Located]:
    for _, group in groupby(rows, key=lambda row: row.revision):
        own = list(group)
        first, size = own[0], sum(row.size for row in own)
        if first.length is not None and first.length != size:
            yield _located(
                first, f"rev_len is {first.length}, its contents have {size} bytes", _RECORDS
            )
        hashes = {row.role: row.sha1 for row in own}
        if first.revision_sha1 and all(hashes.values()):
            expected = combined_sha1(hashes)
            if first.revision_sha1 != expected:
                problem = f"rev_sha1 is {first.revision_sha1}, by its contents {expected}"
                yield _located(first, problem, _RECORDS)


def _located(
    row: _SlotRow, problem: str, advice: str, severity: Severity = Severity.ERROR
) -> _Located:
    place = f"revision {row.revision}"
    return _Located(row.revision, Finding(_CONTENTS, problem, advice, severity, None, place))


_COUNTS = "counts"
_ADVICE = "`wikiapi links` counts everything again."
_WORDS = {
    "articles": "articles",
    "pages": "pages",
    "users": "accounts",
    "images": "files",
}
"""The counted things by the names of their counters.

Edits cannot be counted again: deletions are among them, and revisions that record moves are not.
"""
_MAX_CATEGORIES = 1_000


class Totals(NamedTuple):
    """The numbers of pages, revisions and files in a store."""

    pages: int
    revisions: int
    files: int


def totals(db: Database) -> Totals:
    """Count the pages, revisions and files of a store."""
    counted = site_counts(db)
    return Totals(counted["pages"], counted["edits"], counted["images"])


def check_site_stats(db: Database, content_namespaces: Sequence[int]) -> Iterator[Finding]:
    """Yield the numbers in site_stats that differ from those of the counted tables."""
    stored = sitestats.statistics(db)._asdict()
    for name, counted in site_counts(db, content_namespaces).items():
        if name in _WORDS and stored[name] != counted:
            yield Finding(
                _COUNTS,
                f"site_stats counts {stored[name]} {_WORDS[name]}, there are {counted}",
                _ADVICE,
                Severity.WARNING,
            )


def check_categories(db: Database) -> Iterator[Finding]:
    """Yield the categories whose recorded number of members differs from that of their links."""
    members = CategoryLinks.select(fn.COUNT(CategoryLinks.cl_from)).join(
        LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
    )
    members = members.where(LinkTarget.lt_namespace == CATEGORY)
    members = members.where(LinkTarget.lt_title == Category.cat_title)
    query = Category.select(Category.cat_title, Category.cat_pages, members)
    wrong = query.where(Category.cat_pages != members).limit(_MAX_CATEGORIES)
    for title, stored, counted in db.execute(wrong):
        yield Finding(
            _COUNTS,
            f"the category counts {stored} members, there are {counted}",
            _ADVICE,
            Severity.WARNING,
            (CATEGORY, title),
        )
