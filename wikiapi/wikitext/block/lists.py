"""Lists: the prefix characters ``* # : ;`` and what one line's prefix means after another's."""

from __future__ import annotations

import re
from types import MappingProxyType

from wikiapi.wikitext.expand.text import BLANKS
from wikiapi.wikitext.html.allowed import VOID

PREFIXES = "*#:;"
_OPEN = MappingProxyType({"*": "<ul><li>", "#": "<ol><li>", ":": "<dl><dd>", ";": "<dl><dt>"})
_CLOSE = MappingProxyType({"*": "</li></ul>", "#": "</li></ol>"})
_NEXT = MappingProxyType({"*": "</li>\n<li>", "#": "</li>\n<li>"})

_VOID_TAG = re.compile(rf"<(?:{'|'.join(sorted(VOID | {'img'}))})\b", re.IGNORECASE)


class ListState:
    """The lists that are open, by the prefix of the last line."""

    def __init__(self) -> None:
        """Nothing is open."""
        self.prefix = ""
        self._in_term = False

    def line(self, prefix: str, text: str) -> tuple[str, str]:
        """What opens, closes and goes on for a line with a prefix, and what is left of its text.

        A line without a prefix closes every list.
        """
        plain = prefix.replace(";", ":")
        if plain and plain == self.prefix:
            return self._term(prefix, self._next(prefix[-1]), text)
        return self._changed(prefix, plain, text)

    def _changed(self, prefix: str, plain: str, text: str) -> tuple[str, str]:
        before = self.prefix
        common = _common(prefix, before)
        out = [self._close_to(common)]
        if common and len(prefix) == common:
            out.append(self._next(prefix[-1]))
        elif common and self._in_term and prefix[common - 1] == ":":
            out.append(self._next(":"))
        if before and len(prefix) > common:
            out.append("\n")
        position = colon = 0
        for mark in prefix[common:]:
            out.append(self._opened(mark))
            if mark == ";" and colon >= 0 and (colon := find_colon(text, position)) >= 0:
                out += (text[position:colon].strip(BLANKS), self._next(":"))
                position = colon + 1
        self.prefix = plain
        if before and not prefix:
            out.append("\n")
        return "".join(out), text[position:]

    def _opened(self, mark: str) -> str:
        self._in_term = self._in_term or mark == ";"
        return _OPEN[mark]

    def _next(self, mark: str) -> str:
        if mark in _NEXT:
            return _NEXT[mark]
        closing = "</dt>\n" if self._in_term else "</dd>\n"
        self._in_term = mark == ";"
        return closing + ("<dt>" if self._in_term else "<dd>")

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
        """The tags that close every list."""
        return self._close_to(0)

    def _term(self, prefix: str, out: str, text: str) -> tuple[str, str]:
        """``; term : definition`` on one line."""
        position = find_colon(text) if prefix.endswith(";") else -1
        if position < 0:
            return out, text
        return out + text[:position].strip(BLANKS) + self._next(":"), text[position + 1 :]


def _common(one: str, other: str) -> int:
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        length += 1
    return length


def find_colon(text: str, position: int = 0) -> int:
    """Where the next ``:`` stands that is in no tag, element, link or converter; -1 for none."""
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
