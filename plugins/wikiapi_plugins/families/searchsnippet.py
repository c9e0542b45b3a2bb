"""What search results show of a text: the first lines with a term, and how many words there are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.html.entities import escape_all

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES = 2
_AROUND = 75
"""Bytes shown before and after a term."""
_ELLIPSIS = "..."
_WORD = re.compile(r"[A-Za-z'-]+", re.ASCII)
_MARKED = '<span class="searchmatch">{}</span>'
_LONGEST_LINE = 100_000


def snippet(text: str, terms: re.Pattern[str] | None) -> str:
    """HTML: of each of the first lines with a term, the surroundings of its last one."""
    if terms is None:
        return ""
    found = []
    for before, term, after in _matches(text, terms):
        line = escape_all(_end(before) + term + _beginning(after))
        found.append(terms.sub(lambda match: _MARKED.format(match[0]), line) + "\n")
        if len(found) == _LINES:
            break
    return "".join(found)


def _matches(text: str, terms: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    for whole in text.split("\n"):
        line, last = whole[:_LONGEST_LINE], None
        for match in terms.finditer(line):
            last = match
        if last is not None:
            yield line[: last.start()], last[0], line[last.end() : last.end() + _AROUND + 1]


def word_count(text: str) -> int:
    """The number of words of Latin letters, as MediaWiki counts them."""
    return len(_WORD.findall(text.lstrip("'-")))


def _end(text: str) -> str:
    """The last bytes of a text after an ellipsis, unless that makes it no shorter."""
    raw = text.encode()
    cut = raw[-_AROUND:]
    while cut and cut[0] & 0xC0 == 0x80:
        cut = cut[1:]
    return _shorter(text, _ELLIPSIS + cut.decode().lstrip())


def _beginning(text: str) -> str:
    cut = text.encode()[:_AROUND].decode("utf-8", "ignore")
    return _shorter(text, cut.rstrip() + _ELLIPSIS)


def _shorter(whole: str, cut: str) -> str:
    return cut if len(cut.encode()) < len(whole.encode()) else whole
