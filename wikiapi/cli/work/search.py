"""``wikiapi search``: search the pages."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import click

from wikiapi.cli.support.advice import Failure
from wikiapi.cli.support.options import printable
from wikiapi.cli.support.requests import answer, with_read_right, without_debug_info
from wikiapi.cli.support.sites import existing_site
from wikiapi.config import Config
from wikiapi.plurals import counted
from wikiapi.site import Site
from wikiapi.title.namespaces import MAIN

EVERY = "all"
_MATCH = re.compile(r'<span class="searchmatch">([^<]*+)</span>')
_MAIN_NAMES = frozenset({"", "main", "(main)"})
_NO_INDEX = (
    "`wikiapi import` of a dump into a new store creates one. `wikiapi get action=query"
    " list=prefixsearch pssearch=WORD` finds titles by their beginning without one."
)


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
        """Return the data that ``--json`` prints, with the snippet as plain text."""
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
        Failure: the store has no full-text index, or the words are not a valid search.
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
    """Return the numbers of namespaces given by number or name, or None for ``all`` or no names.

    Raises:
        Failure: there is no namespace with this name.
    """
    chosen = list(names)
    if not chosen or EVERY in chosen:
        return None
    return [_namespace(site, name) for name in chosen]


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
    """Yield the parts of a snippet from the API, which is HTML."""
    for number, piece in enumerate(_MATCH.split(snippet)):
        if piece:
            yield Part(html.unescape(piece), bool(number % 2))


def run(
    config: Config,
    titles: bool,
    limit: int,
    names: tuple[str, ...],
    as_json: bool,
    words: tuple[str, ...],
) -> None:
    """Print the pages found, and exit with status 1 if there are none."""
    with existing_site(without_debug_info(with_read_right(config)), read_only=True) as site:
        found = search(
            site,
            " ".join(words),
            titles=titles,
            limit=limit,
            namespaces=namespaces_of(site, names),
        )
    (_print_json if as_json else _print)(found)
    if not found.hits:
        sys.exit(1)


def _print_json(found: Found) -> None:
    data = {"total": found.total, "pages": [hit.as_json() for hit in found.hits]}
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print(found: Found) -> None:
    for hit in found.hits:
        _print_hit(hit)
    if not found.hits:
        click.echo("No page contains these words.", err=True)
    elif found.total > len(found.hits):
        click.echo(
            f"{len(found.hits)} of {counted(found.total, 'page')}; --limit shows more.", err=True
        )


def _print_hit(hit: Hit) -> None:
    click.secho(printable(hit.title), bold=True)
    lines = "".join(map(_shown, hit.snippet)).strip().splitlines()
    for line in lines:
        click.echo(f"    {line}")


def _shown(part: Part) -> str:
    text = printable(part.text)
    return click.style(text, fg="green", bold=True) if part.match else text
