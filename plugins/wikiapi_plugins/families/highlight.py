"""Source highlighted by Pygments, in the elements that MediaWiki puts around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from wikiapi.wikitext.html.entities import escape_attribute, escape_text

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MAX_BYTES = 102_400
"""Longer texts are shown as they are."""
MAX_LINES = 1000
"""Texts of more lines are shown as they are."""


def highlight(source: str, language: str, *, line_links: str = "") -> str:
    """Source as HTML.

    Args:
        source: the text.
        language: a name that Pygments knows; another leaves the text plain.
        line_links: numbers the lines, each a link to itself, with ids that begin so.
    """
    lexer = _lexer(source, language)
    if lexer is None:
        lines = escape_text(source).split("\n")
    else:
        formatter = HtmlFormatter(nowrap=True)
        lines = pygments.highlight(source, lexer, formatter).rstrip("\n").split("\n")
    classes = ["mw-highlight"]
    if lexer is not None:
        classes.append(f"mw-highlight-lang-{escape_attribute(language)}")
    classes.append("mw-content-ltr")
    if line_links:
        classes.append("mw-highlight-lines")
        lines = [_numbered(line, number, line_links) for number, line in enumerate(lines, 1)]
        body = "".join(lines)
    else:
        body = "\n".join(lines) + "\n"
    return f'<div class="{" ".join(classes)}" dir="ltr"><pre><span></span>{body}</pre></div>'


def _lexer(source: str, language: str) -> Lexer | None:
    too_long = len(source.encode("utf-8", "replace")) > MAX_BYTES
    if too_long or source.count("\n") >= MAX_LINES:
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return None


def _numbered(line: str, number: int, prefix: str) -> str:
    anchor = f"{prefix}-{number}"
    link = f'<a href="#{anchor}"><span class="linenos" data-line="{number}"></span></a>'
    return f'<span id="{anchor}">{link}{line}\n</span>'
