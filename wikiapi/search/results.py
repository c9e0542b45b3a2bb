"""Searching: the pages that match a query, the best first, with their excerpts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikiapi.errors import SearchRefused
from wikiapi.search.excerpts import Part, excerpt, prose, rendered_prose
from wikiapi.search.likeness import beginning, wider
from wikiapi.search.query import ParsedQuery, near_match, parse_query
from wikiapi.search.ranking import (
    Result,
    default_namespaces,
    prose_namespaces,
    sorted_pages,
    words_of,
)
from wikiapi.search.spelling import corrected
from wikiapi.site import Site
from wikiapi.store import PageRow
from wikiapi.store.queries import revisions, texts
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
from wikiapi.timestamps import iso
from wikiapi.title import WIKITEXT, Title
from wikiapi.wikitext import StoredRevision

MOST = 500
"""Largest number of pages that are considered in one search."""
_ENOUGH = 20
"""With fewer results, words with other endings are searched for as well."""
_FEW = 16
"""With fewer results, pages that contain only some of the words are added."""
_ALL_WORDS, _OTHER_ENDINGS = 1.0, 0.6
"""Values of all words and of other endings, besides the full-text score, which is at most 1."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that matches a search.

    Attributes:
        page: its title.
        page_id: its id.
        size: the size of its text in bytes.
        words: the number of words in its text.
        timestamp: when it was last edited, in ISO 8601.
        snippet: the beginning of its text and the part that matches, in parts.
        redirect_page: the redirect to it whose title matches the search better, if any.
        section: the heading of the section that matches, or None for the lead.
    """

    page: Title
    page_id: int
    size: int
    words: int
    timestamp: str
    snippet: tuple[Part, ...]
    redirect_page: Title | None = None
    section: str | None = None

    @property
    def title(self) -> str:
        """The title of the page as text, with its namespace."""
        return self.page.prefixed_text

    @property
    def redirect(self) -> str | None:
        """The title of the redirect as text, if there is one."""
        return self.redirect_page.prefixed_text if self.redirect_page else None

    @property
    def namespace(self) -> int:
        """The number of the namespace."""
        return self.page.ns

    @property
    def excerpt(self) -> str:
        """The snippet as plain text."""
        return "".join(part.text for part in self.snippet).strip()

    def as_json(self) -> dict[str, object]:
        """Return the data of a JSON object, with the snippet as plain text."""
        more: dict[str, object] = {}
        if self.redirect is not None:
            more["redirect"] = self.redirect
        if self.section is not None:
            more["section"] = self.section
        return {
            "title": self.title,
            "pageid": self.page_id,
            "namespace": self.namespace,
            "size": self.size,
            "words": self.words,
            "timestamp": self.timestamp,
            "snippet": self.excerpt,
            **more,
        }


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The results of a search.

    Attributes:
        hits: some of the pages, the best first.
        total: the number of pages that can be read with other offsets, at most :data:`MOST`.
        has_more: whether there are more than that, of which only the best are included.
        is_partial: whether the pages contain only some of the words, since none contains all.
        correction: the query with other spellings that was searched for instead, since no page
            has the words as they were written; empty if there is none.
    """

    hits: Sequence[Hit] = ()
    total: int = 0
    has_more: bool = False
    is_partial: bool = False
    correction: str = ""


def search(
    site: Site,
    text: str,
    namespaces: Sequence[int] | None = None,
    *,
    titles: bool = False,
    limit: int = 20,
    offset: int = 0,
) -> SearchResults:
    """Return the best pages for a query. At most twenty queries to the database.

    Args:
        site: the wiki to search.
        text: words, ``"phrases"``, ``begin*`` and ``-excluded``; ``Talk:`` searches a namespace.
        namespaces: the namespaces to search; None for :func:`default_namespaces`.
        titles: whether to search only titles, not texts.
        limit: the largest number of pages to return.
        offset: the number of pages to leave out, to continue an earlier search.

    Raises:
        SearchRefused: the store has no full-text index, or the query has no words.
    """
    if not site.db.full_text:
        raise SearchRefused("this database has no full-text index")
    query = parse_query(site, text, default_namespaces(site) if namespaces is None else namespaces)
    exact = near_match(site, text)
    if exact is None and not any(words(term.text) for term in query.required):
        raise SearchRefused("the search has no words")
    matches = matches_in_titles(site, query) if titles else _matches(site, query, exact)
    results = sorted_pages(site, matches.values, words_of(matches.terms), exact)
    hits = _hits(site, results[offset : offset + limit], _pattern(matches.marked))
    return SearchResults(
        hits, len(results), matches.has_more, matches.is_partial, matches.correction
    )


@dataclass(slots=True)
class Matches:
    """The ids of pages that match a query, with their values.

    ``terms`` are those of the query, ``marked`` those to mark in texts: with other endings, too.
    """

    terms: Sequence[Term]
    marked: Sequence[Term]
    values: dict[int, float]
    is_partial: bool = False
    has_more: bool = False
    correction: str = ""

    def add(self, hits: Sequence[Scored], worth: float) -> None:
        """Add pages that are not there yet, with their shares of the best score."""
        most = max((hit.score for hit in hits), default=0.0)
        for page_id, score in hits:
            share = max(0.0, score / most) if most > 0 else 0.0
            self.values.setdefault(page_id, worth + share)
        self.has_more |= len(hits) == MOST


def _matches(site: Site, query: ParsedQuery, exact: PageRow | None) -> Matches:
    """Return the pages with all words in titles or texts, or else those that come near.

    If there are few, words with other endings follow, then other spellings, then some of the words,
    then words with the same beginning.
    """
    matches = _with_all_words(site, query, query.required)
    if not matches.values and exact is None:
        terms = corrected(site.db, query.required, query.namespaces)
        if terms is not None:
            others = _with_all_words(site, query, terms)
            if others.values:
                matches = others
                matches.correction = " ".join(
                    [*map(_written, terms), *(f"-{_written(term)}" for term in query.excluded)]
                )
    near = Ranked(
        matches.marked, query.excluded, query.namespaces, prose_namespaces(site), any_of=True
    )
    if len(matches.terms) > 1 and len(matches.values) < _FEW:
        hits = ranked(site.db, near, MOST)
        matches.is_partial = bool(hits) and not matches.values
        matches.add(hits, 0.0)
    if not matches.values:
        matches.marked = [beginning(term) for term in query.required]
        hits = ranked(site.db, near._replace(required=matches.marked), MOST)
        matches.is_partial = bool(hits)
        matches.add(hits, 0.0)
    if exact is not None:
        matches.values.setdefault(exact.page_id, 0.0)
    return matches


def _with_all_words(site: Site, query: ParsedQuery, terms: Sequence[Term]) -> Matches:
    """Return the pages with all terms; with other endings of them as well if there are few."""
    wide = [wider(term, is_alone=len(terms) == 1) for term in terms]
    basis = Ranked(terms, query.excluded, query.namespaces, prose_namespaces(site))
    matches = Matches(terms, wide, {})
    matches.add(ranked(site.db, basis, MOST), _ALL_WORDS)
    if len(matches.values) < _ENOUGH and wide != list(terms):
        matches.add(ranked(site.db, basis._replace(required=wide), MOST), _OTHER_ENDINGS)
    return matches


def _written(term: Term) -> str:
    text = f'"{term.text}"' if " " in term.text else term.text
    return f"{text}*" if term.prefix else text


def matches_in_titles(site: Site, query: ParsedQuery) -> Matches:
    """Return the pages with all words in their titles."""
    title_search = Search(Column.TITLE, query.required, query.excluded, query.namespaces)
    ids = page_ids(site.db, title_search, MOST)
    values = dict.fromkeys(ids, 0.0)
    return Matches(query.required, query.required, values, has_more=len(ids) == MOST)


def _pattern(terms: Iterable[Term]) -> re.Pattern[str] | None:
    """Return a pattern for the terms; those that are prefixes match with any ending."""
    parts = [
        rf"\b{re.escape(term.text.strip())}" + (r"\w*+" if term.prefix else r"\b")
        for term in terms
        if term.text.strip()
    ]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def _hits(site: Site, results: Sequence[Result], terms: re.Pattern[str] | None) -> list[Hit]:
    """Return the data of pages, except those with suppressed text. Three queries.

    Excerpts are of rendered text where the cache has it; nothing is rendered for them.
    """
    latest = [result.row.latest for result in results]
    contents = texts.of_revisions(site.db, latest)
    edits = revisions.by_ids(site.db, latest)
    rendered = {
        revision.revision_id: output.html
        for revision, output in site.page_cache.views(
            StoredRevision(result.row.page_id, result.row.latest, result.row.touched)
            for result in results
        ).items()
    }
    hits = []
    for row, redirect, _ in results:
        stored = contents.get(row.latest)
        if stored is None or stored.text is None:
            continue
        page = site.titles.make(*row.key)
        if stored.model == WIKITEXT and row.latest in rendered:
            text = rendered_prose(rendered[row.latest])
        else:
            text = prose(site, page, stored.text, stored.model)
        part = excerpt(text, terms)
        edit = edits.get(row.latest)
        hits.append(
            Hit(
                page,
                row.page_id,
                row.length,
                len(words(stored.text)),
                iso(edit.timestamp) if edit else "",
                part.parts,
                site.titles.make(*redirect.key) if redirect else None,
                part.section,
            )
        )
    return hits
