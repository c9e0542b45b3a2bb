"""Conversion of HTML to plain text, for attributes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from wikiapi.texts import TRIMMED
from wikiapi.title.references import decode_references
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.allowed import words

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_TOKEN = re.compile(r"<!--.*?(?:-->|\Z)|<(/?)([A-Za-z][^\s/<>]*+)[^<>]*+>", re.DOTALL)
_BLANKS = re.compile(r"[\t\n\r ]+")
_SEPARATING = words(
    """
    address article aside blockquote br canvas dd div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr li main nav noscript ol output p pre section table td tfoot
    th tr ul video
    """
)
"""Elements that separate words."""
_INVISIBLE = frozenset({"script", "style"})


def known_text(html: str, state: ParseState) -> str:
    """Return the text of half-parsed HTML, as far as known without looking up files."""
    return _text(html, state, state.media.replace_text)


def attribute_text(html: str, state: ParseState) -> str:
    """Return the text of half-parsed HTML, after looking up its files."""
    return _text(html, state, state.media.replace)


def _text(html: str, state: ParseState, show: Callable[[str], str]) -> str:
    html = state.links.replace_text(show(html))
    if "\x7f" in html:
        html = StripState.kill(show(state.strip.unstrip_both(html)))
    return visible_text(html, separator="" if state.options.parsoid else " ")


def visible_text(html: str, separator: str = " ") -> str:
    """Return the text of HTML with single spaces, and with ``separator`` between blocks."""
    out: list[str] = []
    position = 0
    hidden = False
    for match in _TOKEN.finditer(html):
        if not hidden:
            out.append(html[position : match.start()])
        position = match.end()
        name = (match[2] or "").lower()
        if name in _INVISIBLE:
            hidden = not match[1]
        elif name in _SEPARATING:
            out.append(separator)
    if not hidden:
        out.append(html[position:])
    return _BLANKS.sub(" ", decode_references("".join(out))).strip(TRIMMED)
