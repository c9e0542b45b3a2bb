"""Redis, and what speaks its protocol."""

from __future__ import annotations

import redis

TIMEOUT = 0.5
"""Seconds to wait for the server: making a value anew must not be the faster way."""


class RedisBackend:
    """Keeps bytes in Redis."""

    errors: tuple[type[Exception], ...] = (redis.RedisError, OSError)

    def __init__(self, url: str) -> None:
        """Take a URL: ``redis://``, ``rediss://`` or ``unix://``. Nothing is connected yet.

        Raises:
            ValueError: it is no such URL.
        """
        self._client = redis.Redis.from_url(
            url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
        )

    def get(self, key: str) -> bytes | None:
        """The bytes of a key."""
        found = self._client.get(key)
        return found if isinstance(found, bytes) else None

    def put(self, key: str, data: bytes, seconds: int) -> None:
        """Keep bytes."""
        self._client.set(key, data, ex=max(1, seconds))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()
