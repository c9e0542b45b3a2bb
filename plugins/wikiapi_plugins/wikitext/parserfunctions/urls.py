"""Parser functions for URLs of pages and files, and for names in links.

URLs: ``localurl``, ``fullurl``, ``canonicalurl`` and ``filepath``. Names of namespaces: ``ns``; of
special pages: ``#special``. Links to other wikis: ``#interwikilink`` and ``#interlanguagelink``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import unquote

from wikiapi.filerepo import File, ThumbParams, ThumbRequest
from wikiapi.languages import autonym
from wikiapi.title import FILE, MEDIA, SPECIAL, Title, decode_references
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    Expansion,
    FunctionCall,
    LanguageLink,
    ParserFunction,
    escape_attribute,
    escape_wikitext,
)
from wikiapi_plugins.wikitext.variables.pagenames import encoded


def _full_url(site: Wiki, title: Title, query: str) -> str:
    return site.page_url(title, query)


def _local_url(site: Wiki, title: Title, query: str) -> str:
    return site.query_path(title, query)


def _url(build: Callable[[Wiki, Title, str], str], call: FunctionCall) -> str | None:
    titles = call.site.titles
    title = titles.try_parse(decode_references(call.first)) or titles.try_parse(unquote(call.first))
    if title is None:
        return None
    if title.ns == MEDIA:
        title = call.site.titles.make(FILE, title.dbkey)
    return build(call.site, title, call.arg(1))


def _escaped_url(build: Callable[[Wiki, Title, str], str], call: FunctionCall) -> str | None:
    url = _url(build, call)
    return None if url is None else escape_attribute(url)


_NUMBER = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)
_ZERO = re.compile(r"[+-]?0+(?:\.0*)?")


def ns(call: FunctionCall) -> str | None:
    """Return the name of a namespace, or ``None`` if the name that it is given by is unknown.

    For a number without a namespace, this is an empty text.
    """
    table = call.site.namespaces
    number = _NUMBER.match(call.first)
    if number and (int(number[0]) or _ZERO.fullmatch(call.first)):
        namespace = table.get(int(number[0]))
        return namespace.name if namespace else ""
    namespace = table.find(call.first.replace("_", " "))
    return namespace.name if namespace else None


def nse(call: FunctionCall) -> str | None:
    """Return the name of a namespace encoded for a URL, or ``None`` if it is unknown."""
    name = ns(call)
    return None if name is None else encoded(name)


_BAD_TITLE = "Badtitle"


def special(call: FunctionCall) -> str:
    """Return the canonical name of a special page, with its subpage."""
    titles = call.site.titles
    if call.first.lower() == _BAD_TITLE.lower():
        return titles.make(SPECIAL, _BAD_TITLE).prefixed_text
    title = titles.try_parse(call.site.special_pages.local_name(call.first), SPECIAL)
    return (title or titles.make(SPECIAL, _BAD_TITLE)).prefixed_text


def speciale(call: FunctionCall) -> str:
    """Return the canonical name of a special page encoded for a URL."""
    return encoded(special(call))


# ``#interwikilink`` always makes a link in the text, ``#interlanguagelink`` always a language link,
# whichever of them the same target in ``[[...]]`` would be.


def _target(call: FunctionCall) -> Title | None:
    """Return the page on another wiki; ``None`` if the prefix is unknown or a namespace here."""
    prefix = call.first.lower()
    if call.site.interwiki.get(prefix) is None or call.site.namespaces.find(prefix):
        return None
    title = call.site.titles.try_parse(f"{prefix}:{call.arg(1)}")
    return title if title and title.interwiki else None


def interwikilink(call: FunctionCall) -> str | None:
    """Return a link with a label, by default the name of the page."""
    title = _target(call)
    if title is None:
        return None
    label = call.arg(2) or escape_wikitext(title.full_text, call.state.link_rules)
    return f"[[:{title.full_text}|{label}]]"


def interlanguagelink(call: FunctionCall) -> str | None:
    """Record a language link and return "", or ``None`` if the target is invalid."""
    title = _target(call)
    if title is None or not autonym(title.interwiki):
        return None
    page = title.text + (f"#{title.fragment}" if title.fragment else "")
    links = call.state.output.language_links
    links.setdefault(title.interwiki, LanguageLink(title.interwiki, page))
    return ""


_NOWIKI = "nowiki"
_SIZE = re.compile(r"([0-9]{0,6})(?:x([0-9]{1,6}))?\s*+(?:px\s*+)?\Z", re.ASCII)


def filepath(call: FunctionCall) -> str | Expansion:
    """Return the URL of a file, or of its thumbnail; empty if the file does not exist."""
    title = call.site.titles.try_parse(call.first, FILE)
    file = call.state.files.file(title) if title and title.ns == FILE else None
    if file is None:
        return ""
    options = (call.arg(1), call.arg(2))
    size = next((option for option in options if option and option != _NOWIKI), "")
    url = call.state.parser.files.full_url(_file_url(call, file, size))
    return Expansion(url, nowiki=True) if _NOWIKI in options else url


def _file_url(call: FunctionCall, file: File, size: str) -> str:
    match = _SIZE.match(size)
    width, height = (match[1], match[2]) if match else ("", None)
    if not (width or height):
        return file.current.url
    params = ThumbParams(width=int(width) if width else None, height=int(height or 0) or None)
    thumbnail = call.state.parser.files.thumbnails([ThumbRequest(file, file.current, params)])[0]
    return thumbnail.url if thumbnail else file.current.url


DECLARATIONS = (
    ParserFunction("localurl", partial(_url, _local_url)),
    ParserFunction("localurle", partial(_escaped_url, _local_url)),
    ParserFunction("fullurl", partial(_url, _full_url)),
    ParserFunction("fullurle", partial(_escaped_url, _full_url)),
    ParserFunction("canonicalurl", partial(_url, _full_url)),
    ParserFunction("canonicalurle", partial(_escaped_url, _full_url)),
    ParserFunction("ns", ns),
    ParserFunction("nse", nse),
    ParserFunction("#special", special),
    ParserFunction("#speciale", speciale),
    ParserFunction("#interwikilink", interwikilink, case_sensitive=True),
    ParserFunction("#interlanguagelink", interlanguagelink, case_sensitive=True),
    ParserFunction("filepath", filepath),
)
