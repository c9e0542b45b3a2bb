"""The cache that is configured: what it must do, and how it is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlsplit

from wikiapi.cache.memory import MemoryCache
from wikiapi.cache.shared import Backend, MemcachedBackend, RedisBackend, SharedCache
from wikiapi.config import CacheConfig
from wikiapi.errors import ConfigError


class Cache(Protocol):
    """Holds values for a limited time. Safe to use from several threads; never raises."""

    enabled: bool
    """False if nothing is ever stored, so that callers can skip preparing values."""

    def get(self, key: str) -> object | None:
        """Return the value of a key, or None if there is none or it has expired.

        The value may be the same object that was passed to :meth:`put`, so it must not be changed.
        """

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Cache a value.

        Args:
            key: any text; the keys of different wikis must differ.
            value: a picklable object other than None.
            seconds: how long the value is valid.
            size: its approximate size in bytes.
        """

    def close(self) -> None:
        """Close connections; the cache cannot be used again."""


class NoCache:
    """A cache that stores nothing."""

    enabled = False

    def get(self, key: str) -> object | None:
        """Return None."""

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def open_cache(config: CacheConfig) -> Cache:
    """Return the configured cache; a server is contacted only when it is first used.

    Raises:
        ConfigError: the scheme of the URL is unknown, its library is not installed, or a shared
            cache has no secret key.
    """
    scheme = urlsplit(config.url).scheme
    if not config.url:
        return NoCache()
    if scheme == "memory":
        return MemoryCache(config.size)
    make = _SHARED.get(scheme)
    if make is None:
        schemes = ", ".join(f"{name}://" for name in ("memory", *_SHARED))
        raise ConfigError(f"cache.url: {config.url!r} is not one of {schemes}")
    if not config.secret_key:
        raise ConfigError("cache.secret_key must be set for a cache that processes share")
    try:
        backend = make(config.url)
    except ImportError as error:
        raise ConfigError(f"cache.url: {scheme} needs a library: {error}") from error
    except ValueError as error:
        raise ConfigError(f"cache.url: {error}") from error
    return SharedCache(backend, config.secret_key.encode())


_SHARED: dict[str, Callable[[str], Backend]] = {
    "redis": RedisBackend,
    "rediss": RedisBackend,
    "unix": RedisBackend,
    "memcached": MemcachedBackend,
}
