"""Searches the pages of a site, without HTTP."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from wikiapi.api.calling import call
from wikiapi.errors import RequestFailed, SearchRefused
from wikiapi.site import Site

_MATCH = re.compile(r'<span class="searchmatch">([^<]*+)</span>')


class Part(NamedTuple):
    """A part of a snippet; ``match`` is true if it matches the search."""

    text: str
    match: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that contains the words. ``size`` is in bytes, ``timestamp`` in ISO 8601."""

    title: str
    page_id: int
    size: int
    words: int
    timestamp: str
    snippet: tuple[Part, ...]

    @property
    def excerpt(self) -> str:
        """The snippet as plain text."""
        return "".join(part.text for part in self.snippet).strip()

    def as_json(self) -> dict[str, object]:
        """Return the data of a JSON object, with the snippet as plain text."""
        return {
            "title": self.title,
            "pageid": self.page_id,
            "size": self.size,
            "words": self.words,
            "timestamp": self.timestamp,
            "snippet": self.excerpt,
        }


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The first matching pages, and their total, which is a lower bound if it exceeds 500."""

    hits: list[Hit]
    total: int


def search(
    site: Site, words: str, *, titles: bool, limit: int, namespaces: Sequence[int] | None
) -> SearchResults:
    """Return the pages that contain all of the words.

    Args:
        site: the wiki to search.
        words: words, ``"phrases"``, ``begin*`` and ``-excluded``, as in MediaWiki.
        titles: whether to search only titles, not texts.
        limit: the largest number of pages to return.
        namespaces: the namespaces to search; None for all.

    Raises:
        SearchRefused: the store has no full-text index, or the words are not a valid search.
    """
    if not site.db.full_text:
        raise SearchRefused("this database has no full-text index")
    spaces = "*" if namespaces is None else "|".join(map(str, namespaces))
    by_title = _request(site, words, "title", spaces)
    if titles:
        return SearchResults(by_title.hits[:limit], by_title.total)
    by_text = _request(site, words, "text", spaces)
    by_id = {hit.page_id: hit for hit in (*by_text.hits, *by_title.hits)}
    order = dict.fromkeys(hit.page_id for hit in (*by_title.hits, *by_text.hits))
    total = max(by_title.total, by_text.total, len(by_id))
    return SearchResults([by_id[page_id] for page_id in order][:limit], total)


def _request(site: Site, words: str, what: str, namespaces: str) -> SearchResults:
    params = {
        "action": "query",
        "list": "search",
        "srsearch": words,
        "srwhat": what,
        "srnamespace": namespaces,
        "srlimit": "max",
        "srprop": "size|wordcount|timestamp|snippet",
        "errorformat": "plaintext",
    }
    try:
        answer = call(site, params)["query"]
    except RequestFailed as error:
        raise SearchRefused(error.info) from error
    hits = [_hit(item) for item in answer["search"]]
    return SearchResults(hits, int(answer["searchinfo"]["totalhits"]))


def _hit(item: dict[str, Any]) -> Hit:
    return Hit(
        item["title"],
        item["pageid"],
        item["size"],
        item["wordcount"],
        item.get("timestamp", ""),
        tuple(parts(item["snippet"])),
    )


def parts(snippet: str) -> Iterator[Part]:
    """Yield the parts of a snippet from the API, which is HTML."""
    for number, piece in enumerate(_MATCH.split(snippet)):
        if piece:
            yield Part(html.unescape(piece), bool(number % 2))
