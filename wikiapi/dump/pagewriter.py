"""Writes pages that may be in the store already: whichever state of a page is newer, wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.dump.deletion import note_displaced, remove_rows
from wikiapi.dump.transcluders import has_links, mark_users
from wikiapi.store import pages as stored_pages
from wikiapi.store.batches import fetch_in
from wikiapi.store.models import Page, PageRestrictions, Redirect, Revision
from wikiapi.store.statements import slots
from wikiapi.store.write.search import add_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from wikiapi.dump.batch import ImportedPage
    from wikiapi.store.database import Database
    from wikiapi.store.pages import PageRow

_RESTRICTION_COLUMNS = ("pr_page", "pr_type", "pr_level", "pr_cascade", "pr_expiry")


class PageWriter:
    """Writes complete pages, after their revisions, in batches without two of one id or title."""

    def __init__(self, db: Database) -> None:
        """Write to this store."""
        self._db = db
        # Nothing is looked up while a store is being filled, when the indexes are missing.
        self._has_links = has_links(db)
        self._texts: list[tuple[int, str, str]] = []

    def write(self, pages: Sequence[ImportedPage]) -> list[ImportedPage]:
        """Write what is new or newer than the store's; returns the pages that were written.

        A page whose title the store has under another id takes its place if it is newer: titles
        are moved and created anew between two dumps.
        """
        accepted = self._settle(pages)
        if self._has_links:
            mark_users(self._db, (page.key for page in accepted))
        self._db.insert_many(Page, (page.row for page in accepted))
        self._db.insert_many(Redirect, _redirects(accepted))
        self._db.insert_many(PageRestrictions, _restrictions(accepted), _RESTRICTION_COLUMNS)
        self._texts += _texts(accepted)
        return accepted

    def index(self) -> None:
        """Put the pages into the full-text index; call before the transaction ends.

        Not earlier: the index would write out its words at every savepoint.
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
        found = fetch_in(self._db, _timestamps, (row.latest for row in rows))
        return {rev_id: (timestamp, rev_id) for rev_id, timestamp in found}

    def _remove(self, rows: dict[int, PageRow], returning: set[int]) -> None:
        if not rows:
            return
        self.index()
        if self._has_links:
            mark_users(self._db, (row.key for row in rows.values()))
        note_displaced(self._db, (row for row in rows.values() if row.page_id not in returning))
        remove_rows(self._db, list(rows))


def _timestamps(count: int) -> Any:
    columns = (Revision.rev_id, Revision.rev_timestamp)
    return Revision.select(*columns).where(Revision.rev_id.in_(slots(count)))


def _redirects(pages: Sequence[ImportedPage]) -> Iterator[tuple[Any, ...]]:
    for page in pages:
        if page.redirect:
            yield page.row.page_id, *page.redirect, "", ""


def _restrictions(pages: Sequence[ImportedPage]) -> Iterator[tuple[Any, ...]]:
    for page in pages:
        if page.restrictions:
            for kind, level in parse_restrictions(page.restrictions).items():
                yield page.row.page_id, kind, level, 0, "infinity"


def parse_restrictions(text: str) -> dict[str, str]:
    """Levels by kind from ``edit=sysop:move=sysop``, or from a level alone, which is for both."""
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
