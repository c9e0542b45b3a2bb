"""The Memcached backend of the shared cache."""

from __future__ import annotations

from urllib.parse import SplitResult

from pymemcache.client.base import PooledClient
from pymemcache.exceptions import MemcacheError

TIMEOUT = 0.5
"""Seconds to wait for the server; after a longer wait, computing the value would be faster."""
PORT = 11211
_LONGEST = 30 * 24 * 3600
"""The longest expiry time in seconds; the protocol reads a larger number as a date."""


class MemcachedBackend:
    """Stores bytes in Memcached, which rejects values beyond its size limit (1 MB by default)."""

    errors: tuple[type[Exception], ...] = (MemcacheError, OSError)

    def __init__(self, url: SplitResult) -> None:
        """Use the server at ``memcached://HOST:PORT``, and connect when it is first used."""
        self._client = PooledClient(
            (url.hostname or "127.0.0.1", url.port or PORT),
            connect_timeout=TIMEOUT,
            timeout=TIMEOUT,
            max_pool_size=64,
        )

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, or None if there are none."""
        value = self._client.get(key)
        return value if isinstance(value, bytes) else None

    def put(self, key: str, data: bytes, seconds: int) -> None:
        """Store bytes for a number of seconds."""
        self._client.set(key, data, expire=min(max(1, seconds), _LONGEST))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()
