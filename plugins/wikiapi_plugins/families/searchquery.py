"""What a visitor types into the search box, as terms of the full-text index.

The language is that of MediaWiki's own search: words and "phrases" must all occur, a ``-`` in front
excludes, a ``*`` behind matches words that begin so. Any other character parts words. ``Talk:`` in
front searches that namespace, ``all:`` every one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.store.search import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.site import Site

# Told by what of ASCII is not in them: Python takes long to compile a range of all else.
_PARTING = re.compile(r"[\x00-!#-&()+,/:-@\[-^`{-\x7f]")
_TERM = re.compile(r"(-?)(?:([^\x00-&()*+,/:-@\[-^`{-\x7f]+)(\*?)|\"([^\"]*)\")")
_EVERYWHERE = "all:"
_MOST_TERMS = 64


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The terms of a query, where to look for them, and what to highlight."""

    wanted: tuple[Term, ...]
    unwanted: tuple[Term, ...]
    namespaces: tuple[int, ...]
    highlight: re.Pattern[str] | None


def parse_query(site: Site, text: str, namespaces: Sequence[int]) -> ParsedQuery:
    """Read a query; nothing that can be typed is an error."""
    text, spaces = _split(site, text, namespaces)
    wanted: list[Term] = []
    unwanted: list[Term] = []
    patterns: list[str] = []
    for match in list(_TERM.finditer(_PARTING.sub(" ", text).strip()))[:_MOST_TERMS]:
        minus, word, star, phrase = match.groups()
        term = Term((phrase if word is None else word).lower(), prefix=bool(star))
        (unwanted if minus else wanted).append(term)
        patterns.append(_pattern(phrase if word is None else word, prefix=bool(star)))
    found = "|".join(filter(None, patterns))
    highlight = re.compile(f"(?:{found})", re.IGNORECASE) if found else None
    return ParsedQuery(tuple(wanted), tuple(unwanted), tuple(spaces), highlight)


def split_namespace(
    site: Site, text: str, namespaces: Sequence[int]
) -> tuple[str, tuple[int, ...]]:
    """A query without the namespace in front of it, and the namespaces to search."""
    prefix, colon, rest = text.partition(":")
    found = site.namespaces.find(prefix) if colon and prefix else None
    return (text, tuple(namespaces)) if found is None else (rest, (found.id,))


def _split(site: Site, text: str, namespaces: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    if text.startswith(_EVERYWHERE):
        rest = text.removeprefix(_EVERYWHERE)
        spaces = tuple(number for number in site.namespaces.ids() if number >= 0)
    else:
        rest, spaces = split_namespace(site, text, namespaces)
    # What is nothing but a prefix is looked for itself.
    return (rest if rest.strip() else text), spaces


def _pattern(text: str, *, prefix: bool) -> str:
    if not text.strip():
        return ""
    return rf"\b{re.escape(text)}" + ("" if prefix else r"\b")
