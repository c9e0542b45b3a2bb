"""Caches in the memory of this process, and in a server that several processes share."""

from __future__ import annotations

from wikiapi.cache.memory import BoundedCache, MemoryCache

__all__ = [
    "BoundedCache",
    "MemoryCache",
]
