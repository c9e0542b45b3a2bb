"""Where redirects lead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.models import Redirect
from wikiapi.store.sql.batches import Key, fetch_in


class RedirectRow(NamedTuple):
    """A redirect's target. ``interwiki`` and ``fragment`` are empty where there is none."""

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


_SELECT_REDIRECTS = Redirect.select(*REDIRECT_COLUMNS)


def targets(db: Database, page_ids: Iterable[int]) -> dict[int, RedirectRow]:
    """Return the target of each page that is a redirect. One query."""
    return {
        row[0]: _row(*row) for row in fetch_in(db, _SELECT_REDIRECTS, Redirect.rd_from, page_ids)
    }


def _row(
    from_id: int, namespace: int, title: str, interwiki: str | None, fragment: str | None
) -> RedirectRow:
    return RedirectRow(from_id, namespace, title, interwiki or "", fragment or "")
