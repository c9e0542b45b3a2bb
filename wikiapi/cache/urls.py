"""Opens the cache that is configured."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from wikiapi.cache.base import Cache, NoCache
from wikiapi.cache.memory import MemoryCache
from wikiapi.cache.shared import Backend, SharedCache
from wikiapi.config import CacheConfig
from wikiapi.errors import ConfigError


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
        known = ", ".join(f"{name}://" for name in ("memory", *_SHARED))
        raise ConfigError(f"cache.url: {config.url!r} is not one of {known}")
    if not config.secret_key:
        raise ConfigError("cache.secret_key must be set for a cache that processes share")
    try:
        backend = make(config.url)
    except ImportError as error:
        raise ConfigError(f"cache.url: {scheme} needs a library: {error}") from error
    except ValueError as error:
        raise ConfigError(f"cache.url: {error}") from error
    return SharedCache(backend, config.secret_key.encode())


def _redis(url: str) -> Backend:
    # The library is optional.
    from wikiapi.cache.redis import RedisBackend

    return RedisBackend(url)


def _memcached(url: str) -> Backend:
    from wikiapi.cache.memcached import MemcachedBackend

    return MemcachedBackend(urlsplit(url))


_SHARED: dict[str, Callable[[str], Backend]] = {
    "redis": _redis,
    "rediss": _redis,
    "unix": _redis,
    "memcached": _memcached,
}
