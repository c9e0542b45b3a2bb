"""The backend of the shared cache for Redis and other servers with its protocol."""

from __future__ import annotations

import redis

TIMEOUT = 0.5
"""Seconds to wait for the server; after a longer wait, computing the value would be faster."""


class RedisBackend:
    """Stores bytes in Redis."""

    errors: tuple[type[Exception], ...] = (redis.RedisError, OSError)

    def __init__(self, url: str) -> None:
        """Use the server at a ``redis://``, ``rediss://`` or ``unix://`` URL.

        The connection is opened when it is first used.

        Raises:
            ValueError: the URL has another form.
        """
        self._client = redis.Redis.from_url(
            url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
        )

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, or None if there are none."""
        value = self._client.get(key)
        return value if isinstance(value, bytes) else None

    def put(self, key: str, data: bytes, seconds: int) -> None:
        """Store bytes for a number of seconds."""
        self._client.set(key, data, ex=max(1, seconds))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()
