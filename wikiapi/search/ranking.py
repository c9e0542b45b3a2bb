"""The order of results: by relevance, with redirects replaced by their targets.

The database returns the pages with the best full-text scores, which are then sorted by their
titles: first a title that equals the query, then titles with its words, then pages with the words
only in the text. Articles precede other pages. Of pages that are equal in this, those in the wiki's
own language come first, then those that more pages link to, then shorter titles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from wikiapi.search.likeness import split_language, title_value
from wikiapi.site import Site
from wikiapi.store import PageRow
from wikiapi.store.queries import links, pages, redirects
from wikiapi.store.queries.search import Term, words
from wikiapi.title import CATEGORY, FILE

PROJECT, HELP = 4, 12
_MORE_SPACES = (PROJECT, FILE, HELP, CATEGORY)
"""Namespaces that are searched in addition to the articles."""
_PLACES = {PROJECT: 0, HELP: 0, CATEGORY: 2, FILE: 3}
_BESIDE_ARTICLES = 0.8
"""The difference in score that puts a project or help page before an article."""
_ANY_SUBJECT, _TALK = 4, 5
_MAX_WORDS = 12
"""Words of a query that are compared with titles."""
_TITLE = 2.5
"""The weight of the title, where that of the text is at most 2."""
_BY_REDIRECT = 0.95
"""The value of a redirect's title for its target, relative to that of the target's own title."""
_OTHER_LANGUAGE = 0.3
"""How much a page in another language than the wiki's loses."""
_LINKS = 0.2
"""How much a page gains that :data:`_MANY_LINKS` pages link to."""
_MANY_LINKS = 100
_LINKS_COUNTED = 40
"""Number of the best pages whose links are counted."""


def default_namespaces(site: Site) -> tuple[int, ...]:
    """Return the namespaces that are searched by default: articles, help, project pages, files."""
    numbers = set(site.namespaces.ids())
    spaces = (*(site.namespaces.content or (0,)), *_MORE_SPACES)
    return tuple(space for space in dict.fromkeys(spaces) if space in numbers)


def prose_namespaces(site: Site) -> tuple[int, ...]:
    """Return the namespaces of articles, project pages and help pages."""
    return (*(site.namespaces.content or (0,)), PROJECT, HELP)


def words_of(terms: Iterable[Term]) -> list[str]:
    """Return the words of a query that are compared with titles."""
    return [word for term in terms for word in words(term.text)][:_MAX_WORDS]


class Result(NamedTuple):
    """A page that matches, and the redirect to it whose title matches the query better, if any."""

    row: PageRow
    redirect: PageRow | None = None
    value: float = 0.0


def sorted_pages(
    site: Site,
    values: Mapping[int, float],
    query_words: Sequence[str],
    exact: PageRow | None = None,
) -> list[Result]:
    """Return pages sorted by their values and titles; redirects are replaced by their targets.

    Redirects count by their titles only.

    At most five queries.

    Args:
        site: the wiki.
        values: the values of pages by id, which say how well their texts match, from 0 to 2.
        query_words: the words to compare with titles.
        exact: the page that is called like the query, which comes first.
    """
    rows = pages.by_ids(site.db, values)
    best: dict[int, Result] = {}
    for result in _folded(site, [rows[page_id] for page_id in values if page_id in rows]):
        row = result.redirect or result.row
        is_exact = exact is not None and row.page_id == exact.page_id
        of_title = _TITLE * title_value(query_words, row.title)
        if row.is_redirect and not of_title and not is_exact:
            continue  # its text, which only names the target, is no reason to show that
        value = values[row.page_id] + (_BY_REDIRECT if row.is_redirect else 1.0) * of_title
        if _is_in_other_language(site, result.row):
            value -= _OTHER_LANGUAGE
        if is_exact:
            value = math.inf
        earlier = best.get(result.row.page_id)
        if earlier is None or earlier.value < value:
            best[result.row.page_id] = result._replace(value=value)
    results = sorted(best.values(), key=lambda result: _order(site, result))
    first = results[:_LINKS_COUNTED]
    counts = links.count_incoming(site.db, [result.row.key for result in first], _MANY_LINKS)
    linked = [
        result._replace(value=result.value + _LINKS * _popularity(counts.get(result.row.key, 0)))
        for result in first
    ]
    linked.sort(key=lambda result: _order(site, result))
    return [*linked, *results[_LINKS_COUNTED:]]


def _popularity(count: int) -> float:
    """Return a measure of a number of links, from 0 to 1."""
    return math.log1p(count) / math.log1p(_MANY_LINKS)


def _is_in_other_language(site: Site, row: PageRow) -> bool:
    language = row.language or split_language(row.title)[1] or site.language
    return language != site.language


def _folded(site: Site, rows: Iterable[PageRow]) -> list[Result]:
    """Return pages in the given order; redirects are replaced by their targets. Two queries."""
    rows = list(rows)
    redirect_ids = [row.page_id for row in rows if row.is_redirect]
    stored = redirects.targets(site.db, redirect_ids) if redirect_ids else {}
    here = {page_id: target.key for page_id, target in stored.items() if not target.interwiki}
    by_key = pages.by_titles(site.db, set(here.values())) if here else {}
    targets = {page_id: by_key[key] for page_id, key in here.items() if key in by_key}
    results = []
    for row in rows:
        target = targets.get(row.page_id)
        if target is not None:
            target = targets.get(target.page_id, target)
        results.append(Result(target, row) if target else Result(row))
    return results


def _order(site: Site, result: Result) -> tuple[bool, int, bool, float, int, int]:
    row, value = result.row, result.value
    if row.namespace in (site.namespaces.content or (0,)):
        place = 0
    else:
        other = _TALK if row.namespace % 2 else _ANY_SUBJECT
        place, value = _PLACES.get(row.namespace, other), value - _BESIDE_ARTICLES
    leads_nowhere = bool(row.is_redirect)
    return value != math.inf, place, leads_nowhere, -value, len(row.title), row.page_id
