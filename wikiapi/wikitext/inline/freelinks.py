"""URLs in running text, which become links or images, and magic links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.externallinks import (
    clean_url,
    external_image,
    external_link,
    note_external_link,
    protect_urls,
)
from wikiapi.wikitext.inline.magiclinks import MAGIC_LINKS, SPACING
from wikiapi.wikitext.media.holders import MEDIA_MARKER
from wikiapi.wikitext.parsoid.entities import own_references
from wikiapi.wikitext.parsoid.links import page_link
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.variants.rendering import exempt_from_conversion

_MARKUP = re.compile(
    rf"<a[ \t\r\n>][^<]*+(?:<(?!/a>|a[ \t\r\n>])[^<]*+)*+</a>|<[^<>]*+>|{MEDIA_MARKER}"
)
"""Links, tags and markers of files, which URLs neither occur in nor extend into."""
_ESCAPED_END = re.compile(r"&(?:lt|gt|nbsp|#x0*(?:3[CcEe]|[Aa]0)|#0*(?:60|62|160));")
_ENTITY_END = re.compile(r"&(?:[A-Za-z]+|#x[0-9A-Fa-f]+|#[0-9]+)\Z")
_PUNCTUATION = ",;\\.:!?"
_BOOK_SOURCES = "BookSources"
"""The special page that links of books lead to."""


def link_free_urls(text: str, state: ParseState) -> str:
    """Return the text with its URLs as links, except those in tags and existing links."""
    rules = state.link_rules
    if ":" not in text and "\x7f" not in text and not rules.has_magic_links:
        return text
    out: list[str] = []
    copied = 0
    for start, end in _outside_markup(text, state):
        for match in rules.bare.finditer(text, start, end):
            link = _linked(match, state) if match[1] else _magic_link(match[0], state)
            out += (text[copied : match.start()], link)
            copied = match.end()
    return "".join([*out, text[copied:]])


def _outside_markup(text: str, state: ParseState) -> Iterator[tuple[int, int]]:
    """Yield the ranges of running text that contain a colon, and so perhaps a URL.

    With magic links, these are all ranges. The URLs in captions of images are made into links on
    the way.
    """
    link = partial(link_free_urls, state=state)
    hint = "" if state.link_rules.has_magic_links else ":"
    done = 0
    for match in _MARKUP.finditer(text):
        start, end = match.span()
        if text.find(hint, done, start) >= 0:
            yield done, start
        if text[start] == "\x7f":
            state.media.change_caption(match[0], link)
        done = end
    yield done, len(text)


def _linked(match: re.Match[str], state: ParseState) -> str:
    protocol, rest = match[1], match[2]
    url, trail = _split(protocol + rest)
    if len(url) <= len(protocol):
        return match[0]
    cleaned = clean_url(url)
    if state.link_rules.shows_image(cleaned):
        return external_image(cleaned, state) + trail
    note_external_link(cleaned, state)
    escape = own_references if state.options.parsoid else escape_text
    text = exempt_from_conversion(protect_urls(escape(cleaned)), state)
    return external_link(cleaned, text, "free", state) + trail


def _split(text: str) -> tuple[str, str]:
    """Return the URL, and the punctuation at its end that is not part of it."""
    cut = _ESCAPED_END.search(text)
    url, trail = (text[: cut.start()], text[cut.start() :]) if cut else (text, "")
    punctuation = _PUNCTUATION if "(" in url else _PUNCTUATION + ")"
    length = len(url.rstrip(punctuation))
    if url[length : length + 1] == ";" and _ENTITY_END.search(url[:length]):
        length += 1
    return url[:length], url[length:] + trail


def _magic_link(text: str, state: ParseState) -> str:
    """Return the link for what a pattern matches, and add the page to a tracking category."""
    text = SPACING.sub(" ", text)
    name, _, number = text.partition(" ")
    kind, number = MAGIC_LINKS[name], number.lstrip(" ")
    state.notices.add_tracking_category(kind.category)
    label = f"{name} {number}"
    if kind.message:
        url = state.messages.text(kind.message, number)
        is_followed = state.link_rules.is_followed(url, state.title)
        rel = {} if is_followed else {"rel": "nofollow"}
        attributes = {"class": kind.css_class, **rel, "href": url}
        if state.options.parsoid:
            return external_link(url, label, "text", state)
    else:
        digits = number.replace("-", "").replace(" ", "").upper()
        page = state.site.special_page(f"{_BOOK_SOURCES}/{digits}")
        attributes = {"href": state.site.page_path(page), "class": kind.css_class}
        if state.options.parsoid:
            return page_link(page, label, "", state.addresses)
    return f"<a{encode_attributes(attributes)}>{label}</a>"
