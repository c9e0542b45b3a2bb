"""A cap on nesting, before the tree builder sees it.

A tree builder looks through its open elements at every tag, and opens every formatting element
again in every paragraph: without a cap, a short text could take hours or make gigabytes.
"""

from __future__ import annotations

import re

from wikiapi.wikitext.html.allowed import VOID, words

MAX_DEPTH = 1000
"""Elements within elements."""
MAX_FORMATTING = 24
"""Formatting elements within formatting elements."""

_FEW = 20
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:]*)[^<>]*>")
_FORMATTING = words("a b big code em font i nobr s small strike strong tt u")
_VOID = VOID | {"img", "input"}


def cap_depth(html: str) -> str:
    """The HTML without the start tags that would nest deeper than allowed."""
    if html.count("<") < _FEW:
        return html
    return _TAG.sub(_Depth().kept, html)


class _Depth:
    """Counts what is open, roughly: a stray end tag may close what it does not name."""

    def __init__(self) -> None:
        self._all = 0
        self._formatting = 0

    def kept(self, match: re.Match[str]) -> str:
        """The tag, or nothing."""
        slash, name = match[1], match[2].lower()
        formatting = name in _FORMATTING
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
