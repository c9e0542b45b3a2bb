"""Tidying: a real HTML5 tree builder mends the tags, then stray inline content is put in ``<p>``.

The tree builder is lexbor (C, through selectolax). Most pages need no more than its serialisation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.depth import cap_depth
from wikiapi.wikitext.html.serialize import serialize
from wikiapi.wikitext.html.wrap import INLINE, wrap_children

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"
_MISPLACED = re.compile(
    r"(?:<(?:table|tbody|tr)\b[^<>]*>|</(?:td|th|tr|caption|tbody)>)\s*"
    rf"(?:[^<\s]|<(?:{'|'.join(sorted(INLINE))})\b)",
    re.IGNORECASE,
)
"""Content of a table that is in none of its cells."""
_EMPTY = re.compile(r"<(p|li|tr)>(\s*)</\1>")


def tidy(html: str) -> str:
    """Well-formed HTML for the body of a page."""
    if not html:
        return ""
    body = _body(cap_depth(html))
    if body is None:
        return ""
    wrap_children(body, fostered=bool(_MISPLACED.search(html)))
    for quote in body.css("blockquote"):
        wrap_children(quote)
    return _marked_empty(serialize(body))


def _body(html: str) -> LexborNode | None:
    return LexborHTMLParser(_DOCUMENT + html).body


def _marked_empty(html: str) -> str:
    """Elements left empty are marked, so that a style sheet may hide them."""
    return _EMPTY.sub(r'<\1 class="mw-empty-elt">\2</\1>', html)
