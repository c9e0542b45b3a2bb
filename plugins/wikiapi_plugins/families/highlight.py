"""Source in colours, by Pygments: lines of HTML, and whole pages of source."""

from __future__ import annotations

import re
from sys import getsizeof
from typing import TYPE_CHECKING

import pygments  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

from wikiapi.cache.bounded import BoundedCache
from wikiapi.wikitext.html.entities import escape_attribute

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

    from wikiapi.site import Site

MAX_BYTES = 102_400
"""Longer texts are better shown as they are."""
_KEPT_BYTES = 8 * 1024 * 1024
"""Memory that sources in colours may take."""
_TAG = "syntaxhighlight"
_ID = re.compile(r"[A-Za-z][\w-]*\Z", re.ASCII)
_PAGE_LINKS = "L"
"""Lines of a page of source are linked as ``#L-1``."""


def is_too_long(source: str) -> bool:
    """Whether a text is too long to be highlighted."""
    return len(source.encode("utf-8", "replace")) > MAX_BYTES


def find_lexer(language: str) -> Lexer | None:
    """The lexer of a language, or ``None`` if Pygments knows none of that name."""
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return None


class Colours:
    """Sources in colours, kept: a page of a manual has many, which change less often than it."""

    def __init__(self) -> None:
        """Keep those that were shown last."""
        self._kept: BoundedCache[tuple[str, str], list[str]] = BoundedCache(_KEPT_BYTES)

    def lines(self, code: str, lexer: Lexer) -> list[str]:
        """As :func:`coloured` gives them; not to be changed."""
        key = (lexer.name, code)
        lines = self._kept.get(key)
        if lines is None:
            lines = coloured(code, lexer)
            self._kept.put(key, lines, getsizeof(code) + sum(map(getsizeof, lines)))
        return lines


def coloured(code: str, lexer: Lexer) -> list[str]:
    """The lines of a text as HTML, without their ends."""
    html: str = pygments.highlight(code, lexer, HtmlFormatter(nowrap=True))
    return html.removesuffix("\n").split("\n")


def marked(lines: list[str], numbers: frozenset[int]) -> list[str]:
    """Each line with its end, in an element that stands out if its number is among these."""
    return [
        f'<span class="hll">{line}\n</span>' if number in numbers else f"{line}\n"
        for number, line in enumerate(lines, 1)
    ]


def numbered(lines: list[str], first: int, link_prefix: str) -> list[str]:
    """The lines with their numbers; with a prefix that can be an id, each has a link to itself."""
    number = _linked if _ID.match(link_prefix) else _plain
    return [number(line, position, link_prefix) for position, line in enumerate(lines, first)]


def source_page(source: str, language: str, site: Site) -> str | None:
    """A page of source in colours, or ``None`` where it is to be shown as it is.

    That is so where the plugin for ``<syntaxhighlight>`` is off, and for long texts.
    """
    if _TAG not in site.parser.registries.tags or is_too_long(source):
        return None
    lexer = find_lexer(language)
    if lexer is None:
        return None
    lines = marked(coloured(source.lstrip("\n").rstrip(), lexer), frozenset())
    body = "".join(numbered(lines, 1, _PAGE_LINKS))
    classes = f"mw-highlight mw-highlight-lang-{language} mw-content-ltr mw-highlight-lines"
    return f'<div class="{classes}" dir="ltr"><pre><span></span>{body}</pre></div>'


def _plain(line: str, number: int, prefix: str) -> str:
    return f'<span class="linenos" data-line="{number}"></span>{line}'


def _linked(line: str, number: int, prefix: str) -> str:
    anchor = escape_attribute(f"{prefix}-{number}")
    return f'<span id="{anchor}"><a href="#{anchor}">{_plain("", number, prefix)}</a>{line}</span>'
