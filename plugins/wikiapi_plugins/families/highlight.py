"""Source highlighted by Pygments, in the elements that MediaWiki puts around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygments  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

from wikiapi.wikitext.html.entities import escape_attribute, escape_text

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

MAX_BYTES = 102_400
"""Longer texts are better shown as they are: see :func:`is_too_long`."""


def is_too_long(source: str) -> bool:
    """Whether a text is too long to be highlighted."""
    return len(source.encode("utf-8", "replace")) > MAX_BYTES


def highlight(source: str, language: str, *, line_links: str = "") -> str:
    """Source as HTML.

    Args:
        source: the text.
        language: a name that Pygments knows; another leaves the text plain.
        line_links: numbers the lines, each a link to itself, with ids that begin so.
    """
    source = source.lstrip("\n").rstrip()
    lexer = _lexer(language)
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


def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return None


def _numbered(line: str, number: int, prefix: str) -> str:
    anchor = f"{prefix}-{number}"
    link = f'<a href="#{anchor}"><span class="linenos" data-line="{number}"></span></a>'
    return f'<span id="{anchor}">{link}{line}\n</span>'
