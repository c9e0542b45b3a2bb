"""Tidying: a real HTML5 tree builder mends the tags, then stray inline content is put in ``<p>``.

The tree builder is lexbor (C, through selectolax). Most pages need no more than its serialisation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.depth import capped, nesting_of
from wikiapi.wikitext.html.figures import mend_figures
from wikiapi.wikitext.html.quotations import Quotations
from wikiapi.wikitext.html.serialize import close_voids
from wikiapi.wikitext.html.wrap import FOSTER_MARK, wrapped_children

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"
_REFERENCE = "\x7f"
"""Begins a character reference while the tree builder has the HTML, which so stays as written.

No text holds this character, which strip markers are made of.
"""
_KEPT_REFERENCE = re.compile("&(?!#(?:39|58|9[135]|12[345]);)")
"""References that are not of the parser's own making, against later stages."""
_EMPTY = re.compile(r"<(p|li|tr)>(\s*)</\1>")


def tidy(html: str) -> str:
    """Well-formed HTML for the body of a page."""
    if not html:
        return ""
    nesting = nesting_of(html)
    if nesting.is_capped:
        html = capped(html)
    body = _body(html)
    if body is None:
        return ""
    mend_figures(body)
    quotations = Quotations(body, is_sound=nesting.is_sound)
    html = quotations.put_back(wrapped_children(body, is_sound=nesting.is_sound))
    html = html.replace(FOSTER_MARK, "")
    return _marked_empty(close_voids(html).replace(_REFERENCE, "&"))


def _body(html: str) -> LexborNode | None:
    html = _KEPT_REFERENCE.sub(_REFERENCE, html).replace("<table", f"{FOSTER_MARK}<table")
    return LexborHTMLParser(_DOCUMENT + html).body


def _marked_empty(html: str) -> str:
    """Elements left empty are marked, so that a style sheet may hide them."""
    return _EMPTY.sub(r'<\1 class="mw-empty-elt">\2</\1>', html)
