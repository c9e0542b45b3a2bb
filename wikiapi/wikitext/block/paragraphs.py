"""Converts lines to blocks: paragraphs, lists and indented preformatted text."""

from __future__ import annotations

import re
from types import MappingProxyType

from wikiapi.texts import TRIMMED
from wikiapi.wikitext.block.headings import TOC_MARK
from wikiapi.wikitext.html.allowed import VOID
from wikiapi.wikitext.parsoid.marks import has_marks, split_marks

PREFIXES = "*#:;"
_OPEN = MappingProxyType({"*": "<ul><li>", "#": "<ol><li>", ":": "<dl><dd>", ";": "<dl><dt>"})
_CLOSE = MappingProxyType({"*": "</li></ul>", "#": "</li></ol>"})
_NEXT = MappingProxyType({"*": "</li>\n<li>", "#": "</li>\n<li>"})

_VOID_TAG = re.compile(rf"<(?:{'|'.join(sorted(VOID | {'img'}))})\b", re.IGNORECASE)


class ListState:
    """The lists that are open."""

    def __init__(self, *, terms_apart: bool = True) -> None:
        """Create the state without open lists; for ``terms_apart``, see `wrap_blocks`."""
        self._between_term_and_definition = "\n" if terms_apart else ""
        self.prefix = ""
        """The prefix of the last line, with ``:`` for ``;``."""
        self._in_term = False

    def line(self, prefix: str, text: str) -> tuple[str, str]:
        """Return the tags for a line with a prefix, and the rest of its text.

        A line without a prefix closes every list.
        """
        plain = prefix.replace(";", ":")
        if plain and plain == self.prefix:
            html = self._next(prefix[-1])
            # The line may be "; term : definition".
            colon = find_colon(text) if prefix.endswith(";") else -1
            if colon < 0:
                return html, text
            return html + text[:colon].strip(TRIMMED) + self._define(), text[colon + 1 :]
        before = self.prefix
        common = 0
        for mine, theirs in zip(prefix, before, strict=False):
            if mine != theirs:
                break
            common += 1
        out = [self._close_to(common)]
        if common and len(prefix) == common:
            out.append(self._next(prefix[-1]))
        elif common and self._in_term and prefix[common - 1] == ":":
            out.append(self._next(":"))
        if before and len(prefix) > common:
            out.append("\n")
        position = colon = 0
        for mark in prefix[common:]:
            self._in_term = self._in_term or mark == ";"
            out.append(_OPEN[mark])
            if mark == ";" and colon >= 0 and (colon := find_colon(text, position)) >= 0:
                out += (text[position:colon].strip(TRIMMED), self._define())
                position = colon + 1
        self.prefix = plain
        if before and not prefix:
            out.append("\n")
        return "".join(out), text[position:]

    def _next(self, mark: str) -> str:
        if mark in _NEXT:
            return _NEXT[mark]
        closing = "</dt>\n" if self._in_term else "</dd>\n"
        self._in_term = mark == ";"
        return closing + ("<dt>" if self._in_term else "<dd>")

    def _define(self) -> str:
        """Return the tags between a term and the definition on its line."""
        self._in_term = False
        return f"</dt>{self._between_term_and_definition}<dd>"

    def _close(self, mark: str) -> str:
        if mark in _CLOSE:
            return _CLOSE[mark]
        closing = "</dt></dl>" if self._in_term else "</dd></dl>"
        self._in_term = False
        return closing

    def _close_to(self, length: int) -> str:
        closed = "".join(self._close(mark) for mark in reversed(self.prefix[length:]))
        self.prefix = self.prefix[:length]
        return closed

    def close_all(self) -> str:
        """Return the tags that close every list."""
        return self._close_to(0)


def find_colon(text: str, position: int = 0) -> int:
    """Return the position of the next ``:`` outside tags, elements and ``-{ }-``, or -1."""
    depth = 0
    length = len(text)
    converter = 0
    while position < length:
        character = text[position]
        if character == ":" and not depth and not converter:
            return position
        if character == "<":
            position, depth = _skip_tag(text, position, depth)
        elif text.startswith("-{", position):
            converter += 1
            position += 2
        elif converter and text.startswith("}-", position):
            converter -= 1
            position += 2
        else:
            position += 1
    return -1


def _skip_tag(text: str, position: int, depth: int) -> tuple[int, int]:
    if text.startswith("<!--", position):
        end = text.find("-->", position)
        return (end + 3 if end >= 0 else len(text)), depth
    end = text.find(">", position)
    if end < 0:
        return position + 1, depth
    if text.startswith("</", position):
        return end + 1, max(0, depth - 1)
    if text[end - 1] == "/" or not text[position + 1 : position + 2].isalpha():
        return end + 1, depth
    return end + 1, depth if _VOID_TAG.match(text, position) else depth + 1


_MARKS = tuple(PREFIXES)
_BLOCK = "table|h[1-6]|pre|p|ul|ol|dl"
_CELL = "td|th"
ENTERS = re.compile(rf"<(?:(?:{_BLOCK})|/(?:{_CELL})|/?(?:tr|caption|dt|dd|li))\b", re.IGNORECASE)
"""Markup after which lines are not put into paragraphs."""
STRIPPED_PRE = "\x7f'\"`UNIQ--pre-"
"""The start of a strip marker for ``<pre>``."""
_LEAVES = rf"/(?:{_BLOCK})|(?:{_CELL})|/?(?:center|blockquote|div|hr|aside|figure)"
LEAVES_TAG = re.compile(rf"<(?:(?:{_LEAVES})\b|/?mw:)", re.IGNORECASE)
"""Tags after which lines are put into paragraphs again."""
LEAVES = re.compile(
    rf"<(?:{_LEAVES})\b|</?mw:|{re.escape(STRIPPED_PRE)}|{re.escape(TOC_MARK)}", re.IGNORECASE
)
"""Markup after which lines are put into paragraphs again."""
RARE = re.compile(r"</?(?:pre|blockquote)\b", re.IGNORECASE)
"""Tags that are searched for in each line only if the text contains any of them."""
QUOTE = re.compile(r"<(/?)blockquote[\s>]", re.IGNORECASE)
PRE_OPEN = re.compile(r"<pre\b", re.IGNORECASE)
PRE_CLOSE = re.compile(r"</pre\b", re.IGNORECASE)
_INVISIBLE = re.compile(
    r"(?:<style\b[^>]*>[^<]*</style>\s*|<link\b[^>]*>\s*|<meta\b[^>]*>\s*|<!--mw[^>]*>)+\Z",
    re.IGNORECASE,
)


def wrap_blocks(text: str, *, line_start: bool = True, terms_apart: bool = True) -> str:
    """Return the text with paragraphs, lists and indented text as elements.

    Args:
        text: the text.
        line_start: whether the text begins at the start of a line. If not, its first line is left
            unchanged.
        terms_apart: whether there is a line break between a term and its definition.
    """
    return _Wrapper(ListState(terms_apart=terms_apart)).run(text, line_start=line_start)


class _Wrapper:
    """Converts one text, line by line."""

    def __init__(self, lists: ListState) -> None:
        self._out: list[str] = []
        self._lists = lists
        self._section = ""
        """The open element that this pass has added: ``p``, ``pre`` or none."""
        self._break = ""
        """Tags of a paragraph break that is written only if a suitable line follows."""
        self._in_pre = False
        self._in_block = False
        self._in_quote = False
        self._has_rare = False
        self._marks = self._marks_after = ""
        """Source marks at both ends of the line that have yet to be written."""

    def run(self, text: str, *, line_start: bool) -> str:
        self._has_rare = bool(RARE.search(text))
        lines = text.split("\n")
        take = self._marked_line if has_marks(text) else self._line
        for index, line in enumerate(lines):
            last = index + 1 == len(lines)
            if index == 0 and not line_start:
                self._out.append(line if last else f"{line}\n")
            else:
                take(line, last=last)
        self._out += (self._lists.close_all(), self._close_section().removesuffix("\n"))
        html = "".join(self._out)
        return "" if html == "<p>\n</p>" else html

    def _marked_line(self, line: str, *, last: bool) -> None:
        """Process a line without the source marks at its ends, which do not open a paragraph."""
        self._marks, line, self._marks_after = split_marks(line)
        self._line(line, last=last)
        self._out += (self._marks, self._marks_after)
        self._marks = self._marks_after = ""

    def _line(self, line: str, *, last: bool) -> None:
        opens_pre = self._has_rare and bool(PRE_OPEN.search(line))
        closes_pre = self._has_rare and bool(PRE_CLOSE.search(line))
        prefix = ""
        if not self._in_pre:
            self._in_pre = opens_pre
            if line.startswith(_MARKS):
                prefix = line[: len(line) - len(line.lstrip(PREFIXES))]
        if prefix or self._lists.prefix:
            line = line[len(prefix) :]
            self._break = ""
            if prefix:
                self._out += (self._close_section(), self._marks)
                self._marks = ""
            html, line = self._lists.line(prefix, line)
            self._out.append(html)
        if not prefix:
            line = self._paragraph(line, opens_pre=opens_pre, closes_pre=closes_pre)
        if closes_pre:
            self._in_pre = False
        if self._break:
            return
        if prefix:
            self._out.append(line.strip(TRIMMED) + self._marks_after)
        else:
            line = f"{self._marks}{line}{self._marks_after}"
            self._out.append(line if last and not self._section else f"{line}\n")
        self._marks = self._marks_after = ""

    def _close_section(self) -> str:
        if not self._section:
            return ""
        closing = f"</{self._section}>\n"
        self._section = ""
        self._in_pre = False
        return closing

    def _paragraph(self, line: str, *, opens_pre: bool, closes_pre: bool) -> str:
        leaves = bool(LEAVES.search(line))
        if leaves or ENTERS.search(line):
            self._break = ""
            if not self._in_pre or opens_pre:
                self._out.append(self._close_section())
            if opens_pre and not closes_pre:
                self._in_pre = True
            if self._has_rare:
                for match in QUOTE.finditer(line):
                    self._in_quote = not match[1]
            self._in_block = not leaves
            return line
        if self._in_block or self._in_pre:
            return line
        is_blank = not line.strip(TRIMMED)
        if line.startswith(" ") and not self._in_quote and (self._section == "pre" or not is_blank):
            if self._section != "pre":
                self._break = ""
                self._out += (self._close_section(), "<pre>")
                self._section = "pre"
            return line[1:]
        if line and _INVISIBLE.match(line):
            if self._break:
                self._out.append(self._close_section())
                self._break = ""
        elif is_blank:
            if self._break:
                self._out.append(f"{self._break}<br />")
                self._break = ""
                self._section = "p"
            elif self._section != "p":
                self._out.append(self._close_section())
                self._break = "<p>"
            else:
                self._break = "</p><p>"
        elif self._break:
            self._out.append(self._break)
            self._break = ""
            self._section = "p"
        elif self._section != "p":
            self._out += (self._close_section(), "<p>")
            self._section = "p"
        return line
