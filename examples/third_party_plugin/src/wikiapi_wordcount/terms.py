"""``prop=terms``, which is also a generator."""

from __future__ import annotations

from typing import Any, NamedTuple

from wikiapi.api import GeneratedPages, PropModule, continuation, limit, string
from wikiapi.store import Row
from wikiapi.store.sql import bounds
from wikiapi_wordcount.model import ExplainedTerm

PAGE, TERM = ExplainedTerm.et_page, ExplainedTerm.et_term


class Term(NamedTuple):
    """A term, and the page that explains it."""

    page_id: int
    term: str


class Terms(PropModule):
    """List the terms that the pages explain.

    As a generator, it yields all pages that explain one of these terms.
    """

    name = "terms"
    prefix = "tm"
    element = "term"
    params = (
        string("terms", "Only these terms.", multi=True),
        limit("How many terms to return, or pages as a generator."),
        continuation(),
    )
    examples = (
        ("action=query&prop=terms&titles=Tea", "The terms that a page explains"),
        ("action=query&generator=terms&titles=Tea&prop=info", "Pages that explain the same terms"),
    )

    def execute(self) -> None:
        """Add the terms of each page in alphabetical order, with one database query."""
        terms = self._terms()
        self.emit(terms, terms, "{0.page_id}|{0.term}".format)

    def generate(self, pages: GeneratedPages) -> None:
        """Add the ids of pages that explain the same terms."""
        pages.page_ids += self.within_limit(self._pages(), int)

    def _terms(self) -> list[Term]:
        query = ExplainedTerm.select(PAGE, TERM).where(*self._conditions())
        if parts := self.continue_parts(2):
            query = query.where(
                bounds.starting_at([PAGE, TERM], [self.continue_int(parts[0]), parts[1]])
            )
        return [Term(*row) for row in self._limited(query.order_by(PAGE, TERM))]

    def _pages(self) -> list[int]:
        terms = ExplainedTerm.select(TERM).where(*self._conditions())
        query = ExplainedTerm.select(PAGE).distinct().where(TERM.in_(terms))
        if parts := self.continue_parts(1):
            query = query.where(ExplainedTerm.et_page >= self.continue_int(parts[0]))
        return [page_id for (page_id,) in self._limited(query.order_by(PAGE))]

    def _conditions(self) -> list[Any]:
        terms = self.p.texts("terms")
        return [PAGE.in_(list(self.page_set.good)), *([TERM.in_(terms)] if terms else [])]

    def _limited(self, query: Any) -> list[Row]:
        """Return the rows, up to one more than the limit, which the continuation needs."""
        return self.rows(query.limit(self.p.number("limit") + 1)) if self.page_set.good else []
