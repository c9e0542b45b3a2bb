"""The pages to render, and which of them need an extension, according to MediaWiki's own links.

A page needs one if it, or any page that it transcludes, contains a tag or parser function of an
extension anywhere in its text (even in a comment, so that doubtful pages are excluded), or has a
content model of an extension.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from bench.peer.httpclient import HttpClient
from bench.peer.mediawiki import CORE_MODELS, Syntax

SMALL = 5000
MODULES = "Module:"
# Tags of extensions that Debian does not ship.
OTHER_TAGS = frozenset({"templatestyles"})
QUERY = {
    "generator": "allpages",
    "gaplimit": "max",
    "prop": "revisions|templates",
    "rvprop": "content|size|contentmodel",
    "rvslots": "main",
    "tllimit": "max",
}


@dataclass(frozen=True)
class Page:
    """A page to render; ``size`` is in bytes of wikitext."""

    title: str
    size: int
    plain: bool
    scripted: bool
    """Whether rendering it runs Lua."""

    @property
    def small(self) -> bool:
        """Whether it is one of the small pages."""
        return self.size < SMALL


@dataclass
class _PageData:
    size: int = 0
    text: str = ""
    model: str = ""
    templates: set[str] = field(default_factory=set)


def survey(client: HttpClient, syntax: Syntax) -> list[Page]:
    """Return all wikitext pages of the wiki, by namespace and title."""
    pages = _read(client)
    pattern = _pattern(syntax)
    extended = {title for title, page in pages.items() if _extended(page, pattern)}
    return [
        Page(
            title,
            page.size,
            title not in extended and extended.isdisjoint(page.templates),
            any(name.startswith(MODULES) for name in page.templates),
        )
        for title, page in pages.items()
        if page.model == "wikitext"
    ]


def _read(client: HttpClient) -> dict[str, _PageData]:
    pages: dict[str, _PageData] = {}
    for namespace in _namespaces(client):
        for batch in client.walk({**QUERY, "gapnamespace": namespace}):
            for page in batch.get("pages", ()):
                _add(pages.setdefault(page["title"], _PageData()), page)
    return pages


def _namespaces(client: HttpClient) -> list[str]:
    answer = client.get({"action": "query", "meta": "siteinfo", "siprop": "namespaces"})
    return [number for number in answer["query"]["namespaces"] if int(number) >= 0]


def _add(data: _PageData, page: dict[str, Any]) -> None:
    data.templates.update(link["title"] for link in page.get("templates", ()))
    for revision in page.get("revisions", ()):
        slot = revision["slots"]["main"]
        data.size, data.text = revision["size"], slot["content"]
        data.model = slot["contentmodel"]


def _extended(page: _PageData, pattern: re.Pattern[str]) -> bool:
    return page.model not in CORE_MODELS or pattern.search(page.text) is not None


def _pattern(syntax: Syntax) -> re.Pattern[str]:
    tags = "|".join(map(re.escape, sorted(syntax.tags | OTHER_TAGS)))
    functions = "|".join(map(re.escape, sorted(syntax.functions)))
    return re.compile(
        rf"<(?:{tags})[\s/>]|#tag:\s*(?:{tags})\s*[|}}]|#(?:{functions})\s*:", re.IGNORECASE
    )
