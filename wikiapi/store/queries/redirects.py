"""The targets of redirects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.models import Redirect
from wikiapi.store.queries import pages
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByValues


class RedirectRow(NamedTuple):
    """A redirect's target. ``interwiki`` and ``fragment`` are empty if there is none."""

    from_id: int
    namespace: int
    title: str
    interwiki: str
    fragment: str

    @property
    def key(self) -> Key:
        """(namespace, database key) of the target."""
        return self.namespace, self.title


REDIRECT_COLUMNS = (
    Redirect.rd_from,
    Redirect.rd_namespace,
    Redirect.rd_title,
    Redirect.rd_interwiki,
    Redirect.rd_fragment,
)


_REDIRECTS = ByValues(Redirect.select(*REDIRECT_COLUMNS), Redirect.rd_from)


def targets(db: Database, page_ids: Iterable[int]) -> dict[int, RedirectRow]:
    """Return the target of each page that is a redirect. One query."""
    return {
        page_id: RedirectRow(page_id, namespace, title, interwiki or "", fragment or "")
        for page_id, namespace, title, interwiki, fragment in _REDIRECTS.rows(db, page_ids)
    }


def property_through_redirects(
    db: Database, rows: Iterable[pages.PageRow], name: str
) -> dict[Key, str]:
    """Return a property of each page, or else of the page that it redirects to.

    One query, and three more if some of the pages are redirects.
    """
    by_id = {row.page_id: row for row in rows}
    by_page = _property(db, by_id, name)
    missing = [number for number, row in by_id.items() if row.is_redirect and number not in by_page]
    if missing:
        keys = {number: row.key for number, row in targets(db, missing).items()}
        there = pages.by_titles(db, keys.values())
        ids = {number: there[key].page_id for number, key in keys.items() if key in there}
        values = _property(db, ids.values(), name)
        by_page |= {number: values[other] for number, other in ids.items() if other in values}
    return {by_id[number].key: value for number, value in by_page.items()}


def _property(db: Database, page_ids: Iterable[int], name: str) -> dict[int, str]:
    props = pages.page_props(db, page_ids, [name])
    return {number: values[name] for number, values in props.items()}
