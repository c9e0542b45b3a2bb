"""Lines to blocks: paragraphs, lists and indented preformatted text."""

from __future__ import annotations

import re

from wikiapi.wikitext.block.lists import PREFIXES, ListState
from wikiapi.wikitext.block.toc import TOC_MARK
from wikiapi.wikitext.expand.text import BLANKS

_MARKS = tuple(PREFIXES)
_BLOCK = "table|h[1-6]|pre|p|ul|ol|dl"
_CELL = "td|th"
_ENTERS = re.compile(rf"<(?:(?:{_BLOCK})|/(?:{_CELL})|/?(?:tr|caption|dt|dd|li))\b", re.IGNORECASE)
"""Markup behind which lines are not paragraphs."""
_LEAVES = re.compile(
    rf"<(?:/(?:{_BLOCK})|(?:{_CELL})|/?(?:center|blockquote|div|hr|aside|figure))\b|</?mw:"
    rf"|\x7f'\"`UNIQ--pre-|{re.escape(TOC_MARK)}",
    re.IGNORECASE,
)
"""Markup behind which they are again."""
_RARE = re.compile(r"</?(?:pre|blockquote)\b", re.IGNORECASE)
"""Without any of these in the text, no line need be searched for them."""
_QUOTE = re.compile(r"<(/?)blockquote[\s>]", re.IGNORECASE)
_PRE_OPEN = re.compile(r"<pre\b", re.IGNORECASE)
_PRE_CLOSE = re.compile(r"</pre\b", re.IGNORECASE)
_INVISIBLE = re.compile(
    r"(?:<style\b[^>]*>[^<]*</style>\s*|<link\b[^>]*>\s*|<meta\b[^>]*>\s*)+\Z", re.IGNORECASE
)


def wrap_blocks(text: str, *, line_start: bool = True) -> str:
    """The text with paragraphs, lists and indented text as elements.

    ``line_start``: whether the text begins a line; if not, its first line is taken as it is.
    """
    return _Wrapper().run(text, line_start=line_start)


class _Wrapper:
    """One pass over the lines of a text."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._lists = ListState()
        self._section = ""
        """The open ``p`` or ``pre`` of our own."""
        self._break = ""
        """A paragraph break that waits to see what follows."""
        self._in_pre = False
        self._in_block = False
        self._in_quote = False
        self._has_rare = False

    def run(self, text: str, *, line_start: bool) -> str:
        self._has_rare = bool(_RARE.search(text))
        lines = text.split("\n")
        for index, line in enumerate(lines):
            last = index + 1 == len(lines)
            if index == 0 and not line_start:
                self._out.append(line if last else f"{line}\n")
            else:
                self._line(line, last=last)
        self._out += (self._lists.close_all(), self._close_section().removesuffix("\n"))
        html = "".join(self._out)
        return "" if html == "<p>\n</p>" else html

    def _line(self, line: str, *, last: bool) -> None:
        opens_pre = self._has_rare and bool(_PRE_OPEN.search(line))
        closes_pre = self._has_rare and bool(_PRE_CLOSE.search(line))
        prefix = ""
        if not self._in_pre:
            self._in_pre = opens_pre
            if line.startswith(_MARKS):
                prefix = line[: len(line) - len(line.lstrip(PREFIXES))]
        if prefix or self._lists.prefix:
            line = self._listed(prefix, line[len(prefix) :])
        if not prefix:
            line = self._paragraph(line, opens_pre=opens_pre, closes_pre=closes_pre)
        if closes_pre:
            self._in_pre = False
        if not self._break:
            self._write(line, listed=bool(prefix), last=last)

    def _write(self, line: str, *, listed: bool, last: bool) -> None:
        if listed:
            self._out.append(line.strip(BLANKS))
        else:
            self._out.append(line if last and not self._section else f"{line}\n")

    def _listed(self, prefix: str, line: str) -> str:
        self._break = ""
        if prefix:
            self._out.append(self._close_section())
        html, line = self._lists.line(prefix, line)
        self._out.append(html)
        return line

    def _close_section(self) -> str:
        if not self._section:
            return ""
        closing = f"</{self._section}>\n"
        self._section = ""
        self._in_pre = False
        return closing

    def _paragraph(self, line: str, *, opens_pre: bool, closes_pre: bool) -> str:
        leaves = bool(_LEAVES.search(line))
        if leaves or _ENTERS.search(line):
            self._block_line(line, opens_pre=opens_pre, closes_pre=closes_pre)
            self._in_block = not leaves
            return line
        if self._in_block or self._in_pre:
            return line
        if self._is_indented(line):
            return self._indented(line)
        if line and _INVISIBLE.match(line):
            if self._break:
                self._out.append(self._close_section())
                self._break = ""
        else:
            self._text(line)
        return line

    def _block_line(self, line: str, *, opens_pre: bool, closes_pre: bool) -> None:
        self._break = ""
        if not self._in_pre or opens_pre:
            self._out.append(self._close_section())
        if opens_pre and not closes_pre:
            self._in_pre = True
        if self._has_rare:
            for match in _QUOTE.finditer(line):
                self._in_quote = not match[1]

    def _is_indented(self, line: str) -> bool:
        if not line.startswith(" ") or self._in_quote:
            return False
        return self._section == "pre" or bool(line.strip(BLANKS))

    def _indented(self, line: str) -> str:
        if self._section != "pre":
            self._break = ""
            self._out += (self._close_section(), "<pre>")
            self._section = "pre"
        return line[1:]

    def _text(self, line: str) -> None:
        if not line.strip(BLANKS):
            self._empty_line()
        elif self._break:
            self._out.append(self._break)
            self._break = ""
            self._section = "p"
        elif self._section != "p":
            self._out += (self._close_section(), "<p>")
            self._section = "p"

    def _empty_line(self) -> None:
        if self._break:
            self._out.append(f"{self._break}<br />")
            self._break = ""
            self._section = "p"
        elif self._section != "p":
            self._out.append(self._close_section())
            self._break = "<p>"
        else:
            self._break = "</p><p>"
