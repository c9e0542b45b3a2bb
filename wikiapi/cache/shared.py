"""A cache on a server, shared by several processes and machines: Redis or Memcached.

Values are signed pickles: someone who can write to the server but does not have the key cannot make
wikiapi unpickle anything. After an error the server is not contacted for some seconds, so that
requests do not wait for it.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import pickle
import time
from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlsplit

logger = logging.getLogger(__name__)

REST = 5.0
"""Seconds for which a server is not contacted after it has failed."""
LARGEST = 8 * 1024 * 1024
"""The largest size of a value in bytes; larger ones are not sent."""
_SIGNATURE = 32
TIMEOUT = 0.5
"""Seconds to wait for the server; after a longer wait, computing the value would be faster."""
PORT = 11211
"""The port of Memcached, unless the URL has another."""
_LONGEST = 30 * 24 * 3600
"""The longest expiry time in seconds; Memcached reads a larger number as a date."""


class Backend(Protocol):
    """The client of a server that stores bytes. It may raise the exceptions of its library."""

    errors: tuple[type[Exception], ...]
    """The exceptions raised when the server cannot be reached or its answer is invalid."""

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, or None if there are none."""

    def put(self, key: str, data: bytes, seconds: int) -> None:
        """Store bytes for a number of seconds."""

    def close(self) -> None:
        """Close all connections."""


class SharedCache:
    """Stores pickled values in a backend."""

    enabled = True

    def __init__(
        self, backend: Backend, secret: bytes, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Use a backend; all processes must have the same secret."""
        self._backend = backend
        self._secret = secret
        self._clock = clock
        self._resting_until = float("-inf")

    def get(self, key: str) -> object | None:
        """Return a new copy of the value of a key, or None if there is none."""
        name = self._name(key)
        data = self._try(lambda: self._backend.get(name))
        return self._loaded(name, data) if isinstance(data, bytes) else None

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Send a value to the server, unless it is larger than ``LARGEST``."""
        if size > LARGEST:
            return
        name = self._name(key)
        try:
            pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            logger.info("a value cannot be shared: %s", error)
            return
        data = self._signature(name, pickled) + pickled
        self._try(lambda: self._backend.put(name, data, seconds))

    def close(self) -> None:
        """Close the connections; the values stay on the server."""
        self._backend.close()

    def _name(self, key: str) -> str:
        """Return the key used on the server: a hash, since servers restrict keys."""
        return "wikiapi:" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

    def _signature(self, name: str, pickled: bytes) -> bytes:
        """Return the signature of a value; it covers the name, so values cannot be swapped."""
        return hmac.digest(self._secret, name.encode() + b"\0" + pickled, "sha256")

    def _loaded(self, name: str, data: bytes) -> object | None:
        signature, pickled = data[:_SIGNATURE], data[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._signature(name, pickled)):
            logger.warning("a cache entry is not signed with our key, and is ignored")
            return None
        try:
            loaded: object = pickle.loads(pickled)  # noqa: S301 - the signature was checked
        except Exception:  # another version of the code may have written it
            logger.info("a cache entry cannot be read by this version", exc_info=True)
            return None
        return loaded

    def _try(self, ask: Callable[[], object]) -> object | None:
        if self._clock() < self._resting_until:
            return None
        try:
            return ask()
        except self._backend.errors as error:
            self._resting_until = self._clock() + REST
            logger.warning("the cache does not answer and is not used for %gs: %s", REST, error)
            return None


class RedisBackend:
    """Stores bytes in Redis, or in another server with its protocol."""

    def __init__(self, url: str) -> None:
        """Use the server at a ``redis://``, ``rediss://`` or ``unix://`` URL.

        The connection is opened when it is first used.

        Raises:
            ImportError: the library, which is optional, is not installed.
            ValueError: the URL has another form.
        """
        import redis

        self.errors: tuple[type[Exception], ...] = (redis.RedisError, OSError)
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


class MemcachedBackend:
    """Stores bytes in Memcached, which rejects values beyond its size limit (1 MB by default)."""

    def __init__(self, url: str) -> None:
        """Use the server at ``memcached://HOST:PORT``, and connect when it is first used.

        Raises:
            ImportError: the library, which is optional, is not installed.
        """
        from pymemcache.client.base import PooledClient
        from pymemcache.exceptions import MemcacheError

        self.errors: tuple[type[Exception], ...] = (MemcacheError, OSError)
        parts = urlsplit(url)
        self._client = PooledClient(
            (parts.hostname or "127.0.0.1", parts.port or PORT),
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
