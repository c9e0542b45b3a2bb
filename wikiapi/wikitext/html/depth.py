"""How tags nest, before the tree builder sees them, and a cap on it.

A tree builder looks through its open elements at every tag, and opens every formatting element
again in every paragraph: without a cap, a short text could take hours or make gigabytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wikiapi.wikitext.html.allowed import FORMATTING, VOID

MAX_DEPTH = 1000
"""Elements within elements."""
MAX_FORMATTING = 24
"""Formatting elements within formatting elements."""

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:]*+)[^<>]*+>")
_NAME = re.compile(r"<(/?[A-Za-z][A-Za-z0-9:]*+|!--)[^>]*+>?")
_EXACT_NAME = re.compile(r"<(/?[A-Za-z][A-Za-z0-9:]*+)[^<>]*+>")
_COMMENT = "!--"
_VOID = VOID | {"img", "input"}
_NOT_OPENED = _VOID | {_COMMENT}


@dataclass(slots=True)
class Nesting:
    """How deep the elements of a text nest, and whether each end tag closes the last one open."""

    depth: int = 0
    formatting: int = 0
    is_sound: bool = True

    @property
    def is_capped(self) -> bool:
        """Whether the text nests too deep."""
        return self.depth > MAX_DEPTH or self.formatting > MAX_FORMATTING


def nesting_of(html: str) -> Nesting:
    """Read the tags of a text; a stray end tag may close what it does not name."""
    open_names: list[str] = []
    depth = formatting = most_formatting = links = 0
    is_sound = True
    for name in tag_names(html):
        if name[0] != "/":
            if name in _NOT_OPENED:
                continue
            open_names.append(name)
            if name == "a":
                # A link within a link ends the outer one.
                is_sound = is_sound and not links
                links += 1
            if len(open_names) > depth:
                depth = len(open_names)
            if name in FORMATTING:
                formatting += 1
                most_formatting = max(most_formatting, formatting)
        elif open_names and open_names.pop() == name[1:]:
            formatting -= name[1:] in FORMATTING
            links -= name == "/a"
        else:
            is_sound = False
            formatting = max(0, formatting - (name[1:] in FORMATTING))
    return Nesting(depth, most_formatting, is_sound)


def tag_names(html: str) -> list[str]:
    """The name of each tag in lower case, with the slash of an end tag.

    To look for the next ``>`` alone takes a third of the time. It finds the same, and comments,
    where every ``<`` begins something: then there is none within a tag. Behind the last ``>``
    there is nothing to find, and each look for one would go to the end of the text.
    """
    end = html.rfind(">") + 1
    names: list[str] = _NAME.findall(html, 0, end)
    if len(names) != html.count("<", 0, end):
        names = _EXACT_NAME.findall(html)
    return [name.lower() for name in names]


def capped(html: str) -> str:
    """The HTML without the start tags that would nest deeper than allowed."""
    return _TAG.sub(_Depth().kept, html)


class _Depth:
    """Counts what is open, roughly: a stray end tag may close what it does not name."""

    def __init__(self) -> None:
        self._all = 0
        self._formatting = 0

    def kept(self, match: re.Match[str]) -> str:
        """The tag, or nothing."""
        slash, name = match[1], match[2].lower()
        formatting = name in FORMATTING
        if slash:
            self._all = max(0, self._all - 1)
            self._formatting = max(0, self._formatting - formatting)
            return match[0]
        if name in _VOID:
            return match[0]
        if self._all >= MAX_DEPTH or (formatting and self._formatting >= MAX_FORMATTING):
            return ""
        self._all += 1
        self._formatting += formatting
        return match[0]
