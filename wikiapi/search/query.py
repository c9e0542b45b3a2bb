"""Search queries as users type them: their terms for the full-text index, and what matches them.

The syntax is that of MediaWiki's own search: words and "phrases" must all occur, a leading ``-``
excludes a term, and a trailing ``*`` matches words with that prefix. Any other character separates
words. A leading ``Talk:`` searches that namespace, and ``all:`` searches every one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wikiapi.site import Site
from wikiapi.store import PageRow
from wikiapi.store.queries import pages
from wikiapi.store.queries.search import Term
from wikiapi.title import FILE, MEDIA

# Separators are listed, because Python takes long to compile a range of all other characters.
_PARTING = re.compile(r"[\x00-!#-&()+,/:-@\[-^`{-\x7f]")
_TERM = re.compile(r"(-?)(?:([^\x00-&()*+,/:-@\[-^`{-\x7f]+)(\*?)|\"([^\"]*)\")")
_EVERYWHERE = "all:"
_MAX_TERMS = 64


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The terms of a query, where to look for them, and what to highlight."""

    required: tuple[Term, ...]
    excluded: tuple[Term, ...]
    namespaces: tuple[int, ...]
    highlight: re.Pattern[str] | None


def parse_query(site: Site, text: str, namespaces: Sequence[int]) -> ParsedQuery:
    """Parse a query; no input is an error."""
    if text.startswith(_EVERYWHERE):
        rest = text.removeprefix(_EVERYWHERE)
        spaces = tuple(number for number in site.namespaces.ids() if number >= 0)
    else:
        rest, spaces = split_namespace(site, text, namespaces)
    # A query that consists of a prefix only is searched for as it is.
    text = rest if rest.strip() else text
    # A repeated word is looked up once.
    required: dict[Term, None] = {}
    excluded: dict[Term, None] = {}
    patterns: dict[str, None] = {}
    for match in list(_TERM.finditer(_PARTING.sub(" ", text).strip()))[:_MAX_TERMS]:
        minus, word, star, phrase = match.groups()
        words = phrase if word is None else word
        term = Term(words.lower(), prefix=bool(star))
        (excluded if minus else required)[term] = None
        if words.strip():
            patterns[rf"\b{re.escape(words)}" + ("" if star else r"\b")] = None
    alternatives = "|".join(patterns)
    highlight = re.compile(f"(?:{alternatives})", re.IGNORECASE) if patterns else None
    return ParsedQuery(tuple(required), tuple(excluded), spaces, highlight)


def split_namespace(
    site: Site, text: str, namespaces: Sequence[int]
) -> tuple[str, tuple[int, ...]]:
    """Return a query without a leading namespace, and the namespaces to search."""
    prefix, colon, rest = text.partition(":")
    namespace = site.namespaces.find(prefix) if colon and prefix else None
    return (text, tuple(namespaces)) if namespace is None else (rest, (namespace.id,))


_WORD_START = re.compile(r"(?:\A|[\s\-/(\[{])\w")
_QUOTED = re.compile(r'"(.*)"\Z', re.S)


def spellings(site: Site, text: str) -> tuple[str, ...]:
    """Return a query as it was typed, and in the variants of the wiki's language."""
    language = site.parser.content_converter
    variants = language.convert_to_all(text).values() if language else ()
    return tuple(dict.fromkeys((text, *variants)))


def near_match(site: Site, text: str) -> PageRow | None:
    """Return the page whose title comes nearest to a query, if there is one. One query."""
    forms = (form for spelled in spellings(site, text) for form in _forms(spelled))
    titles = [title for form in forms if (title := site.titles.try_parse(form))]
    keys = [
        (FILE, title.dbkey) if title.ns == MEDIA else title.key
        for title in titles
        if not title.interwiki and title.dbkey and (title.ns >= 0 or title.ns == MEDIA)
    ]
    rows = pages.by_titles(site.db, keys) if keys else {}
    return next((rows[key] for key in keys if key in rows), None)


def _forms(text: str) -> Iterator[str]:
    """Yield the spellings to try, the most likely first."""
    yield text
    yield text.lower()
    yield text.title()
    yield text.upper()
    yield _WORD_START.sub(lambda match: match[0].upper(), text)
    if match := _QUOTED.match(text):
        yield from _forms(match[1])
