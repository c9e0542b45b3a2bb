"""The plugin's own table of the terms that pages explain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from wikiapi.store import Database, MediaWikiModel, PageLinkSet, index
from wikiapi.store.fields import Binary, Serial, UInt

DATA = "wordcount"
"""The key of the terms in ``plugin_data`` of a rendering."""


class ExplainedTerm(MediaWikiModel):
    """A term that a page explains, with one row per page and term."""

    et_id = Serial()
    et_page = UInt()
    et_term = Binary()

    class Meta:
        """The indexes are those that ``prop=terms`` and its generator need."""

        table_name = "wordcount_term"
        named_indexes = (
            index("et_page_term", "et_page", "et_term"),
            index("et_term_page", "et_term", "et_page"),
        )


def replace(db: Database, pages: Sequence[PageLinkSet]) -> None:
    """Replace the rows of the pages with the terms in their current texts."""
    ids = [page.page_id for page in pages]
    db.execute_write(ExplainedTerm.delete().where(ExplainedTerm.et_page.in_(ids)))
    rows = [
        (page.page_id, term)
        for page in pages
        for term in cast("Iterable[str]", page.plugin_data.get(DATA, ()))
    ]
    if rows:
        db.insert_many(ExplainedTerm, rows, ("et_page", "et_term"))
