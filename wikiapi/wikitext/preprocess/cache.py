"""Trees kept by content: the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wikiapi.wikitext.preprocess.nodes import Content

Key = tuple[str, bool]

_OVERHEAD = 512
"""Bytes that an entry costs beside its text, roughly."""
_PER_MARK = 100
"""Bytes that what a mark begins costs in a tree, roughly."""


class Tree(NamedTuple):
    """A tree, and the names that its calls have outright: what may have to be fetched."""

    content: Content
    names: tuple[str, ...]


class TreeCache:
    """A thread-safe LRU cache whose size is counted in bytes, as far as a text tells them."""

    def __init__(self, max_bytes: int) -> None:
        """Keep trees of at most so many bytes."""
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[Key, Tree] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Tree | None:
        """The tree of a text and way of inclusion, if it is kept."""
        with self._lock:
            tree = self._entries.get(key)
            if tree is not None:
                self._entries.move_to_end(key)
            return tree

    def put(self, key: Key, tree: Tree) -> None:
        """Keep a tree, unless it alone is too large."""
        size = _size(key)
        if size > self._max_bytes:
            return
        with self._lock:
            if key not in self._entries:
                self._entries[key] = tree
                self._bytes += size
            while self._bytes > self._max_bytes:
                old, _ = self._entries.popitem(last=False)
                self._bytes -= _size(old)

    def __len__(self) -> int:
        """Number of trees kept."""
        return len(self._entries)


def _size(key: Key) -> int:
    text = key[0]
    marks = text.count("{") + text.count("|") + text.count("<")
    return len(text) * 4 + _PER_MARK * marks + _OVERHEAD
