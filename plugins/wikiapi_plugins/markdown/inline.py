"""Conversion of the content of a paragraph: escaped text, marks around it and line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

_BLANKS = re.compile(r"[ \t\n\r\f\xa0]+")
_SPECIAL = re.compile(r"[\\`*\[\]<~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w])")
_BEGINS_A_BLOCK = re.compile(r"(?=[#>+-])|(?=[=]+\Z)|(?<=\d)(?=[.)](?:\s|\Z))")
_NUMBER = re.compile(r"\d{1,9}(?=[.)](?:\s|\Z))")
_IN_ADDRESS = {ord(char): f"%{ord(char):02X}" for char in (*map(chr, range(33)), *'()<>"\\`|\x7f')}
_RUN = re.compile("`+")


class Break(Enum):
    """The text for a line break within a paragraph."""

    LINE = "\\\n"
    CELL = "<br>"
    SPACE = " "


class _Kind(Enum):
    TEXT = auto()
    RAW = auto()
    OPEN = auto()
    CLOSE = auto()
    BREAK = auto()


class _Token(NamedTuple):
    kind: _Kind
    value: str = ""


def escaped(text: str) -> str:
    """Return text with the characters escaped that are markup in Markdown."""
    return _SPECIAL.sub(lambda match: "&amp;" if match[0] == "&" else f"\\{match[0]}", text)


def address(url: str) -> str:
    """Return a URL encoded for the parentheses of a link."""
    return url.translate(_IN_ADDRESS)


def code(text: str) -> str:
    """Return text as a code span, which may contain backticks."""
    longest = max((len(run) for run in _RUN.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


class Inline:
    """The paragraph that is being read.

    Spaces and opening marks are written only when a word follows, so that marks are never next to
    spaces inside them and never empty.
    """

    def __init__(self) -> None:
        """Create an empty paragraph."""
        self._tokens: list[_Token] = []
        self._open: list[_Token] = []
        self.has_words = False

    def text(self, text: str) -> None:
        """Add text, which will be escaped."""
        self._tokens.append(_Token(_Kind.TEXT, text))
        self.has_words = self.has_words or not (not text or text.isspace())

    def raw(self, text: str) -> None:
        """Add text that is already Markdown."""
        self._tokens.append(_Token(_Kind.RAW, text))
        self.has_words = True

    def line_break(self) -> None:
        """End the line."""
        self._tokens.append(_Token(_Kind.BREAK))

    def open(self, mark: str) -> None:
        """Write an opening mark."""
        token = _Token(_Kind.OPEN, mark)
        self._open.append(token)
        self._tokens.append(token)

    def close(self, mark: str) -> None:
        """Write a closing mark for the mark opened last, if there is one."""
        if self._open:
            self._open.pop()
            self._tokens.append(_Token(_Kind.CLOSE, mark))

    def take(self, end: Break, *, in_cell: bool = False) -> str:
        """Return the paragraph, and begin another one in which the open marks are open as well."""
        still_open = [token for token in self._open if not token.value.startswith("[")]
        tokens = [*self._tokens, *(_Token(_Kind.CLOSE, token.value) for token in still_open[::-1])]
        if not self.has_words:
            tokens = []
        self._tokens, self.has_words = list(self._open), False
        lines = ["".join(line).strip(" ") for line in _lines(tokens)]
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            lines.pop(0)
        if in_cell:
            lines = [line.replace("|", "\\|") for line in lines]
        elif end is Break.LINE:
            lines = [_plain_start(line) for line in lines]
        return end.value.join(lines)


def _plain_start(line: str) -> str:
    """Return a line escaped so that it does not begin a heading, list, quotation or underline."""
    if number := _NUMBER.match(line):
        return f"{number[0]}\\{line[number.end() :]}"
    return f"\\{line}" if _BEGINS_A_BLOCK.match(line) else line


def _lines(tokens: list[_Token]) -> Iterator[list[str]]:
    line: list[str] = []
    waiting: list[str] = []
    has_space = False
    for kind, value in tokens:
        if kind is _Kind.OPEN:
            waiting.append(value)
        elif kind is _Kind.CLOSE:
            if waiting:
                waiting.pop()
            else:
                line.append(value)
        elif kind is _Kind.BREAK:
            yield line
            line, has_space = [], False
        else:
            text = _BLANKS.sub(" ", value) if kind is _Kind.TEXT else value
            has_space = has_space or text.startswith(" ")
            words = text.strip(" ")
            if words:
                if has_space and line:
                    line.append(" ")
                line += waiting
                waiting, has_space = [], False
                line.append(escaped(words) if kind is _Kind.TEXT else words)
            has_space = has_space or text.endswith(" ")
    yield line
