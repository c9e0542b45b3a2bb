"""Trees kept by content: the least recently used go first."""

from __future__ import annotations

from sys import getsizeof
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.cache.bounded import BoundedCache

if TYPE_CHECKING:
    from wikiapi.wikitext.preprocess.nodes import Content

Key = tuple[str, bool]
"""A text and the way of its inclusion."""

_FRAME = 256
"""Bytes of a tree that holds nothing, and of its key."""
_PER_MARK = 80
"""Bytes that what a mark begins costs in a tree."""


class Tree(NamedTuple):
    """A tree, and the names that its calls have outright: what may have to be fetched."""

    content: Content
    names: tuple[str, ...]


TreeCache = BoundedCache[Key, Tree]


def size_of(key: Key) -> int:
    """Bytes that a text and its tree take, as far as the text tells.

    Over the pages of a wiki with Wikipedia's templates this is 1.2 times what they do take.
    """
    text = key[0]
    marks = text.count("{") + text.count("|") + text.count("<")
    # The tree has pieces of the text, which together are about as long.
    return 2 * getsizeof(text) + _PER_MARK * marks + _FRAME
