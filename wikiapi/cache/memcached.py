"""Memcached."""

from __future__ import annotations

from urllib.parse import SplitResult

from pymemcache.client.base import PooledClient
from pymemcache.exceptions import MemcacheError

TIMEOUT = 0.5
"""Seconds to wait for the server: computing the value again must not be faster."""
PORT = 11211
_LONGEST = 30 * 24 * 3600
"""Seconds; the protocol reads a larger number as a date."""


class MemcachedBackend:
    """Stores bytes in Memcached, which refuses values beyond its own limit (1 MB by default)."""

    errors: tuple[type[Exception], ...] = (MemcacheError, OSError)

    def __init__(self, url: SplitResult) -> None:
        """Use a URL ``memcached://HOST:PORT``; connect at the first use."""
        self._client = PooledClient(
            (url.hostname or "127.0.0.1", url.port or PORT),
            connect_timeout=TIMEOUT,
            timeout=TIMEOUT,
            max_pool_size=64,
        )

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, None if there are none."""
        found = self._client.get(key)
        return found if isinstance(found, bytes) else None

    def put(self, key: str, data: bytes, seconds: int) -> None:
        """Store bytes for so many seconds."""
        self._client.set(key, data, expire=min(max(1, seconds), _LONGEST))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()
