"""Titles to suggest: while a query is being typed, and in place of a page that is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wikiapi.search.likeness import title_value, wider
from wikiapi.search.prefixes import prefix_search
from wikiapi.search.query import ParsedQuery, near_match, parse_query
from wikiapi.search.ranking import Result, prose_namespaces, sorted_pages, words_of
from wikiapi.search.results import Matches, matches_in_titles
from wikiapi.search.spelling import corrected
from wikiapi.site import Site
from wikiapi.store import PageRow
from wikiapi.store.queries.search import Ranked, Term, ranked
from wikiapi.title import Title

_COMPARED = 20
"""Number of pages whose titles are compared with that of a missing page."""


class Suggestion(NamedTuple):
    """A suggested page, and the redirect to it by which it was found, if any."""

    title: Title
    redirect: Title | None = None


_BEGUN = 50
"""Number of titles with the beginning that are compared."""


def suggestions(site: Site, text: str, namespaces: Sequence[int], limit: int) -> list[Suggestion]:
    """Return suggestions for the beginning of a query.

    Pages whose titles begin with it come first, in the order of search results, then pages with
    the words in their titles, or else with other spellings of them. At most twenty queries to the
    database; more for variants.
    """
    content = tuple(site.namespaces.content or (0,))
    others = tuple(space for space in namespaces if space not in content)
    begun = [
        pair for spaces in (content, others) for pair in prefix_search(site, text, spaces, _BEGUN)
    ]
    exact = near_match(site, text)
    query = parse_query(site, text, namespaces)
    rows = [row for _, row in begun if row is not None]
    values = {row.page_id: 0.0 for row in ([exact, *rows] if exact else rows)}
    results = sorted_pages(site, values, words_of(query.required), exact)
    if (
        len(results) < limit
        and site.db.full_text
        and sum(len(term.text) for term in query.required) >= _LEAST_LETTERS
    ):
        results += _with_words_in_titles(site, query, query.required)
        if not results and not begun:
            terms = corrected(site.db, query.required, query.namespaces)
            results = _with_words_in_titles(site, query, terms) if terms is not None else []
    make = site.titles.make
    by_title: dict[Title, Suggestion] = {}
    for row, redirect, _ in results:
        title = make(*row.key)
        by_title.setdefault(title, Suggestion(title, make(*redirect.key) if redirect else None))
    for title, stored in begun:
        if stored is None:  # a special page
            by_title.setdefault(title, Suggestion(title))
    return list(by_title.values())[:limit]


_LEAST_LETTERS = 3


def _with_words_in_titles(site: Site, query: ParsedQuery, terms: Sequence[Term]) -> list[Result]:
    """Return pages with all words in their titles; the last word may be incomplete."""
    begun = [*terms[:-1], terms[-1]._replace(prefix=True)]
    matches = matches_in_titles(
        site, ParsedQuery(tuple(begun), query.excluded, query.namespaces, None)
    )
    return sorted_pages(site, matches.values, words_of(terms))


def similar_titles(site: Site, text: str, namespaces: Sequence[int], limit: int) -> list[PageRow]:
    """Return pages whose titles share words with a title, the best first.

    If there are none, other spellings of the words are tried. At most fourteen queries.
    """
    if not site.db.full_text:
        return []
    query = parse_query(site, text, namespaces)
    rows = _with_some_words_in_titles(site, query, query.required)
    if not rows:
        terms = corrected(site.db, query.required, query.namespaces)
        rows = _with_some_words_in_titles(site, query, terms) if terms is not None else []
    return rows[:limit]


def _with_some_words_in_titles(
    site: Site, query: ParsedQuery, terms: Sequence[Term]
) -> list[PageRow]:
    wide = [wider(term) for term in terms]
    near = Ranked(wide, (), query.namespaces, prose_namespaces(site), any_of=True)
    matches = Matches(terms, wide, {})
    matches.add(ranked(site.db, near, _COMPARED), 0.0)
    query_words = words_of(terms)
    return [
        result.row
        for result in sorted_pages(site, matches.values, query_words)
        if any(title_value(query_words, row.title) > 0 for row in result[:2] if row is not None)
    ]
