"""Source as lines of HTML, by Pygments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pygments  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

from wikiapi.wikitext.html.entities import escape_attribute

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

_ID = re.compile(r"[A-Za-z][\w-]*\Z", re.ASCII)


def find_lexer(language: str) -> Lexer | None:
    """The lexer of a language, or ``None`` if Pygments knows none of that name."""
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return None


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


def _plain(line: str, number: int, prefix: str) -> str:
    return f'<span class="linenos" data-line="{number}"></span>{line}'


def _linked(line: str, number: int, prefix: str) -> str:
    anchor = escape_attribute(f"{prefix}-{number}")
    return f'<span id="{anchor}"><a href="#{anchor}">{_plain("", number, prefix)}</a>{line}</span>'
