"""Finds pages by their words, through ``list=search``: titles first, then texts."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi.cli.advice import Failure
from wikiapi.cli.asking import answer
from wikiapi.title.namespaces import MAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wikiapi.site import Site

EVERY = "all"
_MATCH = re.compile(r'<span class="searchmatch">([^<]*+)</span>')
_MAIN_NAMES = frozenset({"", "main", "(main)"})
_NO_INDEX = (
    "`wikiapi import` of a dump into a new store makes one. `wikiapi get action=query"
    " list=prefixsearch pssearch=WORD` finds titles by how they begin without."
)


class Part(NamedTuple):
    """A piece of a snippet; ``match`` tells the words that were looked for."""

    text: str
    match: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found. ``size`` is in bytes, ``timestamp`` in ISO 8601."""

    title: str
    page_id: int
    size: int
    words: int
    timestamp: str
    snippet: tuple[Part, ...]

    def as_json(self) -> dict[str, object]:
        """What ``--json`` shows; the snippet is plain text."""
        return {
            "title": self.title,
            "pageid": self.page_id,
            "size": self.size,
            "words": self.words,
            "timestamp": self.timestamp,
            "snippet": "".join(part.text for part in self.snippet).strip(),
        }


@dataclass(frozen=True, slots=True)
class Found:
    """The first pages found, and how many there are in all: beyond 500, at least so many."""

    hits: list[Hit]
    total: int


def search(
    site: Site, words: str, *, titles: bool, limit: int, namespaces: Sequence[int] | None
) -> Found:
    """Look for pages that hold all of the words.

    Args:
        site: where to look.
        words: words, ``"phrases"``, ``begin*`` and ``-unwanted``, as MediaWiki reads them.
        titles: look at titles alone, not at texts.
        limit: how many pages to give at most.
        namespaces: look in these only; None for everywhere.

    Raises:
        Failure: the store has no full-text index, or nothing can be looked for.
    """
    if not site.db.full_text:
        raise Failure("this database has no full-text index", _NO_INDEX)
    spaces = "*" if namespaces is None else "|".join(map(str, namespaces))
    by_title = _ask(site, words, "title", spaces)
    if titles:
        return Found(by_title.hits[:limit], by_title.total)
    by_text = _ask(site, words, "text", spaces)
    found = {hit.page_id: hit for hit in (*by_text.hits, *by_title.hits)}
    order = dict.fromkeys(hit.page_id for hit in (*by_title.hits, *by_text.hits))
    total = max(by_title.total, by_text.total, len(found))
    return Found([found[page_id] for page_id in order][:limit], total)


def namespaces_of(site: Site, names: Iterable[str]) -> list[int] | None:
    """The numbers of namespaces given by number or name; None for ``all`` and for none.

    Raises:
        Failure: there is no namespace of a name.
    """
    wanted = list(names)
    if not wanted or EVERY in wanted:
        return None
    return [_namespace(site, name) for name in wanted]


def _namespace(site: Site, name: str) -> int:
    if name.lower() in _MAIN_NAMES:
        return MAIN
    if name.isascii() and name.isdigit() and len(name) < 10:
        found = site.namespaces.get(int(name))
    else:
        found = site.namespaces.find(name)
    if found is None:
        known = ", ".join(f"{entry.id} {entry.name or '(main)'}" for entry in _searched(site))
        raise Failure(f"there is no namespace {name!r}", f"The namespaces are {known}.")
    return found.id


def _searched(site: Site) -> Iterator[Any]:
    return (entry for entry in site.namespaces if entry.id >= 0)


def _ask(site: Site, words: str, what: str, namespaces: str) -> Found:
    data = answer(
        site,
        action="query",
        list="search",
        srsearch=words,
        srwhat=what,
        srnamespace=namespaces,
        srlimit="max",
        srprop="size|wordcount|timestamp|snippet",
    )["query"]
    hits = [_hit(item) for item in data["search"]]
    return Found(hits, int(data["searchinfo"]["totalhits"]))


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
    """The pieces of a snippet of the API's, which is HTML."""
    for number, piece in enumerate(_MATCH.split(snippet)):
        if piece:
            yield Part(html.unescape(piece), bool(number % 2))
