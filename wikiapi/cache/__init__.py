"""Caches with a size in bytes or entries."""

from __future__ import annotations

from wikiapi.cache.bounded import BoundedCache
from wikiapi.cache.memory import MemoryCache

__all__ = [
    "BoundedCache",
    "MemoryCache",
]
