"""Comparison of changed lines by word."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wikiapi_plugins.shared.diffs.sequences import Effort, compare

_WORD = re.compile(r"([^\S\n]+|[^\x00-/:-@\[-^`{-\x7f]+|.)[^\S\n]?", re.ASCII | re.DOTALL)
_MAX_LINE = 10_000
"""Lines with more characters are compared as a whole."""
_MAX_BLOCK = 500_000
"""The lines of blocks with more characters are compared as a whole."""
_LINE_END = "\n"

Word = tuple[str, str]
"""A word as it is compared, and its text with the space after it."""


@dataclass
class _Side:
    """Builds the lines of one side."""

    tag: str
    lines: list[str] = field(default_factory=list)
    _line: str = ""
    _group: str = ""
    _is_marked: bool = False

    def add(self, words: Iterable[Word], *, is_marked: bool) -> None:
        """Append words; ``is_marked`` says whether they are marked as changed."""
        for compared, text in words:
            if is_marked != self._is_marked:
                self._close_group()
                self._is_marked = is_marked
            if compared == _LINE_END:
                self._close_line()
                text = text.removeprefix(_LINE_END)
            self._group += text

    def finish(self) -> list[str]:
        """Return the lines as HTML."""
        self._close_line()
        return self.lines

    def _close_group(self) -> None:
        if self._group:
            text = escaped(self._group)
            if self._is_marked:
                text = f'<{self.tag} class="diffchange diffchange-inline">{text}</{self.tag}>'
            self._line += text
        self._group = ""

    def _close_line(self) -> None:
        self._close_group()
        # Without content, the line would have no height.
        self.lines.append(self._line or "\u00a0")
        self._line = ""


def escaped(text: str) -> str:
    """Return a text escaped for HTML."""
    return html.escape(text, quote=False)


def compare_words(
    one: Sequence[str], other: Sequence[str], effort: Effort
) -> tuple[list[str], list[str]]:
    """Return the lines of both sides as HTML, with the words marked that differ."""
    mine, theirs = _words(one), _words(other)
    removed, added = _Side("del"), _Side("ins")
    for edit in compare([word for word, _ in mine], [word for word, _ in theirs], effort):
        removed.add(mine[edit.a : edit.a_end], is_marked=not edit.is_equal)
        added.add(theirs[edit.b : edit.b_end], is_marked=not edit.is_equal)
    return removed.finish(), added.finish()


def merged_words(one: str, other: str, effort: Effort) -> str:
    """Return two lines as one line of HTML, with deleted and inserted words marked."""
    parts: list[str] = []
    for is_equal, removed, added in compared_words(one, other, effort):
        if is_equal:
            parts.append(escaped(added))
        else:
            parts += (
                f"<del>{escaped(removed)}</del>" if removed else "",
                f"<ins>{escaped(added)}</ins>" if added else "",
            )
    return "".join(parts)


def compared_words(one: str, other: str, effort: Effort) -> Iterator[tuple[bool, str, str]]:
    """Yield the parts of two lines: whether they are equal, and the text of each."""
    mine, theirs = _words([one]), _words([other])
    for edit in compare([word for word, _ in mine], [word for word, _ in theirs], effort):
        removed = "".join(text for _, text in mine[edit.a : edit.a_end])
        added = "".join(text for _, text in theirs[edit.b : edit.b_end])
        yield edit.is_equal, removed, added


def _words(lines: Sequence[str]) -> list[Word]:
    words: list[Word] = []
    if sum(map(len, lines)) > _MAX_BLOCK:
        return [word for line in lines for word in ((_LINE_END, _LINE_END), (line, line))][1:]
    for number, line in enumerate(lines):
        if number:
            words.append((_LINE_END, _LINE_END))
        if len(line) > _MAX_LINE:
            words.append((line, line))
        else:
            words += ((match[1], match[0]) for match in _WORD.finditer(line))
    return words
