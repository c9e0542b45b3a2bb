"""Searches the pages of a site, without HTTP."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from wikiapi.errors import SearchRefused
from wikiapi.http.wsgiclient import send_to_api
from wikiapi.site import Site

_MATCH = re.compile(r'<span class="searchmatch">([^<]*+)</span>')
_JSON = {"format": "json", "formatversion": "2", "errorformat": "plaintext"}


class Part(NamedTuple):
    """A part of a snippet; ``match`` is true if it matches the search."""

    text: str
    match: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A page found. ``size`` is in bytes, ``timestamp`` in ISO 8601."""

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
class Found:
    """The first pages found, and the total number, which is a lower bound if it exceeds 500."""

    hits: list[Hit]
    total: int


def search(
    site: Site, words: str, *, titles: bool, limit: int, namespaces: Sequence[int] | None
) -> Found:
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
    by_title = _ask(site, words, "title", spaces)
    if titles:
        return Found(by_title.hits[:limit], by_title.total)
    by_text = _ask(site, words, "text", spaces)
    found = {hit.page_id: hit for hit in (*by_text.hits, *by_title.hits)}
    order = dict.fromkeys(hit.page_id for hit in (*by_title.hits, *by_text.hits))
    total = max(by_title.total, by_text.total, len(found))
    return Found([found[page_id] for page_id in order][:limit], total)


def _ask(site: Site, words: str, what: str, namespaces: str) -> Found:
    asked = {
        "action": "query",
        "list": "search",
        "srsearch": words,
        "srwhat": what,
        "srnamespace": namespaces,
        "srlimit": "max",
        "srprop": "size|wordcount|timestamp|snippet",
    }
    answer: dict[str, Any] = json.loads(send_to_api(site, "POST", form={**asked, **_JSON}).text)
    if errors := answer.get("errors"):
        raise SearchRefused(errors[0]["text"])
    found = answer["query"]
    hits = [_hit(item) for item in found["search"]]
    return Found(hits, int(found["searchinfo"]["totalhits"]))


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
