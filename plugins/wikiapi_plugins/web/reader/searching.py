"""The reader's search: pages by relevance, with redirects replaced by their targets.

``list=search`` of the API answers like MediaWiki, in the order of page ids; the results for readers
are found here. The database returns the pages with the best full-text scores, which are then sorted
by their titles: first a title that equals the query, then titles with its words, then pages with
the words only in the text. Articles precede other pages. Suggestions during typing are sorted in
the same way, but only titles are searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wikiapi.site import Site
from wikiapi.store import PageRow
from wikiapi.store.queries import pages, redirects
from wikiapi.store.queries.search import (
    Column,
    Ranked,
    Scored,
    Search,
    Term,
    page_ids,
    ranked,
    words,
)
from wikiapi.title import CATEGORY, FILE, Title
from wikiapi_plugins.query.search.matching import near_match, parse_query
from wikiapi_plugins.query.search.prefixes import prefix_search

MOST = 500
"""Largest number of pages that are considered in one search."""
ENOUGH = 20
"""With fewer results, words with other endings are searched for as well."""

_FEW = 8
"""With fewer results, pages that contain only some of the words are added."""

PROJECT, HELP = 4, 12
_MORE_SPACES = (PROJECT, FILE, HELP, CATEGORY)
"""Namespaces that are searched in addition to the articles."""
_PLACES = {PROJECT: 0, HELP: 0, CATEGORY: 2, FILE: 3}
_BESIDE_ARTICLES = 0.8
"""The difference in score that puts a project or help page before an article."""
_ANY_SUBJECT, _TALK = 4, 5
_MAX_WORDS = 12
"""Words of a query that are compared with titles."""
_CAMEL = re.compile(r"(?<=[^\W\d_])(?=[A-Z][a-z])")
"""The positions between the words of a CamelCase name (``LinearPattern``)."""
_LEAST_STEM = 3
_TITLE, _ALL_WORDS, _OTHER_ENDINGS = 2.5, 1.0, 0.6
"""Weights of the title, of all words and of other endings; the full-text score is at most 1."""


class Result(NamedTuple):
    """A page that matches, and the redirect to it whose title matches the query better, if any.

    ``value`` is its score.
    """

    row: PageRow
    redirect: PageRow | None = None
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a search.

    Attributes:
        hits: the pages, the best first.
        terms: a pattern of the terms to mark in their texts.
        is_partial: whether the pages contain only some of the words, since none contains all.
        has_more: whether there are more than :data:`MOST` pages, of which only the best are here.
    """

    hits: Sequence[Result] = ()
    terms: re.Pattern[str] | None = None
    is_partial: bool = False
    has_more: bool = False


def default_namespaces(site: Site) -> tuple[int, ...]:
    """Return the namespaces that are searched by default."""
    numbers = set(site.namespaces.ids())
    spaces = (*(site.namespaces.content or (0,)), *_MORE_SPACES)
    return tuple(space for space in dict.fromkeys(spaces) if space in numbers)


def search(site: Site, text: str, namespaces: Sequence[int]) -> Results:
    """Return the pages for a query. At most nine queries to the database."""
    query = parse_query(site, text, namespaces)
    basis = Ranked(query.required, query.excluded, query.namespaces, _prose(site))
    wider = basis._replace(required=[_wider(term) for term in query.required])
    stages = [(basis, _ALL_WORDS)]
    if list(wider.required) != list(query.required):
        stages.append((wider, _OTHER_ENDINGS))
    if len(query.required) > 1:
        stages.append((wider._replace(any_of=True), 0.0))
    beginnings = [_beginning(term) for term in query.required]
    last = wider._replace(required=beginnings, any_of=True)
    values: dict[int, float] = {}
    is_partial = has_more = False
    marked = wider
    for stage, worth in (*stages, (last, 0.0)):
        if len(values) >= (_FEW if stage.any_of else ENOUGH) or (stage is last and values):
            break
        marked = wider if stage is basis else stage
        hits = ranked(site.db, stage, MOST)
        is_partial = stage.any_of and bool(hits) and not values
        has_more |= len(hits) == MOST
        for page_id, value in _shares(hits):
            values.setdefault(page_id, worth + value)
    exact = near_match(site, text)
    if exact is not None:
        values.setdefault(exact.page_id, 0.0)
    results = _results(site, values, _query_words(query.required), exact)
    return Results(results, _pattern(marked.required), is_partial, has_more)


def similar_titles(site: Site, text: str, namespaces: Sequence[int], limit: int) -> list[PageRow]:
    """Return pages whose titles share words with a title, the best first. Three queries."""
    if not site.db.full_text:
        return []
    query = parse_query(site, text, namespaces)
    terms = [_wider(term) for term in query.required]
    basis = Ranked(terms, (), query.namespaces, _prose(site), any_of=True)
    hits = ranked(site.db, basis, ENOUGH)
    query_words = _query_words(query.required)
    results = _results(site, dict(_shares(hits)), query_words, None)
    named = [
        result
        for result in results
        if any(_title_value(query_words, row.title) > 0 for row in result[:2] if row is not None)
    ]
    return [result.row for result in named[:limit]]


class Suggestion(NamedTuple):
    """A suggested page, and the redirect to it by which it was found, if any."""

    title: Title
    redirect: Title | None = None


def suggestions(site: Site, text: str, namespaces: Sequence[int], limit: int) -> list[Suggestion]:
    """Return suggestions for the beginning of a query.

    A page with that title comes first, then pages whose titles begin with it, then pages with the
    words in their titles. Within these groups, articles precede other pages. At most nine queries
    to the database; more for variants.
    """
    content = tuple(site.namespaces.content or (0,))
    others = tuple(space for space in namespaces if space not in content)
    begun = [
        pair for spaces in (content, others) for pair in prefix_search(site, text, spaces, limit)
    ]
    exact = near_match(site, text)
    rows = [row for _, row in begun if row is not None]
    results = _folded(site, [exact, *rows] if exact else rows)
    if len({result.row.page_id for result in results}) < limit:
        results += _with_words_in_titles(site, text, namespaces)
    make = site.titles.make
    by_title: dict[Title, Suggestion] = {}
    for row, redirect, _ in results:
        title = make(*row.key)
        by_title.setdefault(title, Suggestion(title, make(*redirect.key) if redirect else None))
    for title, stored in begun:
        if stored is None:  # a special page
            by_title.setdefault(title, Suggestion(title))
    return list(by_title.values())[:limit]


def _with_words_in_titles(site: Site, text: str, namespaces: Sequence[int]) -> list[Result]:
    """Return pages with all words in their titles; the last word may be incomplete."""
    query = parse_query(site, text, namespaces)
    length = sum(len(term.text) for term in query.required)
    if not site.db.full_text or length < _LEAST_STEM:
        return []
    terms = [*query.required[:-1], query.required[-1]._replace(prefix=True)]
    title_search = Search(Column.TITLE, terms, query.excluded, query.namespaces)
    values = dict.fromkeys(page_ids(site.db, title_search, MOST), 0.0)
    return _results(site, values, _query_words(query.required), None)


def _wider(term: Term) -> Term:
    """Return a term that also matches other endings; phrases and short words are not changed."""
    if term.prefix or len(words(term.text)) != 1 or len(term.text) <= _LEAST_STEM:
        return term
    return Term(_stem(term.text), prefix=True)


def _beginning(term: Term) -> Term:
    """Return a term that matches words with the same beginning, if nothing else was found."""
    wider = _wider(term)
    length = max(_LEAST_STEM + 1, 2 * len(term.text) // 3)
    return wider if wider == term else Term(term.text[:length], prefix=True)


def _stem(word: str) -> str:
    """Return a word without a final ``s``, which marks the plural in many languages."""
    return word[:-1] if len(word) > _LEAST_STEM + 1 and word.endswith("s") else word


def _shares(hits: Sequence[Scored]) -> list[tuple[int, float]]:
    """Return pages with their scores, divided by the largest one."""
    most = max((hit.score for hit in hits), default=0.0)
    return [(hit.page_id, max(0.0, hit.score / most) if most > 0 else 0.0) for hit in hits]


def _query_words(terms: Iterable[Term]) -> list[str]:
    return [word for term in terms for word in words(term.text)][:_MAX_WORDS]


def _pattern(terms: Iterable[Term]) -> re.Pattern[str] | None:
    """Return a pattern for the terms; those that are prefixes match with any ending."""
    parts = [
        rf"\b{re.escape(term.text.strip())}" + (r"\w*+" if term.prefix else r"\b")
        for term in terms
        if term.text.strip()
    ]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def _results(
    site: Site, values: Mapping[int, float], query_words: Sequence[str], exact: PageRow | None
) -> list[Result]:
    """Return pages sorted by their scores and titles; redirects are replaced by their targets."""
    rows = pages.by_ids(site.db, values).values()
    best: dict[int, Result] = {}
    for result in _folded(site, rows):
        row = result.redirect or result.row
        value = values[row.page_id] + _TITLE * _title_value(query_words, row.title)
        if exact is not None and row.page_id == exact.page_id:
            value = float("inf")
        earlier = best.get(result.row.page_id)
        if earlier is None or earlier.value < value:
            best[result.row.page_id] = result._replace(value=value)
    return sorted(best.values(), key=lambda result: _order(site, result))


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


def _order(site: Site, result: Result) -> tuple[bool, int, float, int]:
    row, value = result.row, result.value
    if row.namespace in (site.namespaces.content or (0,)):
        place = 0
    else:
        other = _TALK if row.namespace % 2 else _ANY_SUBJECT
        place, value = _PLACES.get(row.namespace, other), value - _BESIDE_ARTICLES
    return result.value != float("inf"), place, -value, row.page_id


def _prose(site: Site) -> tuple[int, ...]:
    """Return the namespaces of articles, project pages and help pages."""
    return (*(site.namespaces.content or (0,)), PROJECT, HELP)


def _title_value(query_words: Sequence[str], title: str) -> float:
    """Return how similar a title is to the words of a query, from 0 to 1.2."""
    text = title.replace("_", " ")
    parts = words(_CAMEL.sub(" ", text))
    return max(_nearness(query_words, named) for named in (words(text), parts))


def _nearness(query_words: Sequence[str], named: Sequence[str]) -> float:
    """Return how similar two lists of words are; long words count more than short ones."""
    if not query_words or not named:
        return 0.0
    alike = [(word, max(_likeness(word, other) for other in named)) for word in query_words]
    covered = sum(len(word) * value for word, value in alike) / sum(map(len, query_words))
    only = min(1.0, sum(value for _, value in alike) / len(named))
    is_phrase = f" {' '.join(query_words)} " in f" {' '.join(named)} "
    return covered**2 * (0.6 + 0.4 * only) + (0.2 if is_phrase else 0.0)


def _likeness(word: str, other: str) -> float:
    """Return 1 for equal words, 0.8 for words that differ in their endings, and 0 otherwise."""
    if word == other:
        return 1.0
    short, long = sorted((word, other), key=len)
    stem = _stem(short)
    is_near = len(stem) >= _LEAST_STEM and long.startswith(stem) and len(long) - len(stem) <= 3
    return 0.8 if is_near else 0.0
