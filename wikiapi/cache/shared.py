"""A cache in a server, shared by several processes and machines.

Values are signed pickles: somebody who can write to the server but lacks the key cannot make
wikiapi load anything. A server that fails is not contacted for some seconds, so that requests do
not wait for it.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import pickle
import time
from collections.abc import Callable
from typing import Protocol

logger = logging.getLogger(__name__)

REST = 5.0
"""Seconds for which a server is not contacted after it has failed."""
LARGEST = 8 * 1024 * 1024
"""Bytes beyond which a value is not sent at all."""
_SIGNATURE = 32


class Backend(Protocol):
    """The client of a server, for bytes. It may raise the exceptions of its library."""

    errors: tuple[type[Exception], ...]
    """What is raised when the server cannot be reached or answers nonsense."""

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, None if there are none."""

    def put(self, key: str, data: bytes, seconds: int) -> None:
        """Store bytes for so many seconds."""

    def close(self) -> None:
        """Close all connections."""


class SharedCache:
    """Stores pickled values in a backend."""

    enabled = True

    def __init__(
        self, backend: Backend, secret: bytes, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Use a backend; all processes must sign with the same secret."""
        self._backend = backend
        self._secret = secret
        self._clock = clock
        self._resting_until = float("-inf")

    def get(self, key: str) -> object | None:
        """Return a new copy of the value, None if there is none."""
        name = self._name(key)
        data = self._try(lambda: self._backend.get(name))
        return self._loaded(name, data) if isinstance(data, bytes) else None

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Send a value to the server, unless it is very large."""
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
        """Close the connections; the values stay in the server."""
        self._backend.close()

    def _name(self, key: str) -> str:
        """Return the key that the server sees: servers restrict length and characters."""
        return "wikiapi:" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

    def _signature(self, name: str, pickled: bytes) -> bytes:
        """Return the signature of a value under a name: a value moved to another is refused."""
        return hmac.digest(self._secret, name.encode() + b"\0" + pickled, "sha256")

    def _loaded(self, name: str, data: bytes) -> object | None:
        signature, pickled = data[:_SIGNATURE], data[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._signature(name, pickled)):
            logger.warning("an entry of the cache is not signed with our key, and is ignored")
            return None
        try:
            loaded: object = pickle.loads(pickled)  # noqa: S301 - it is our own, see above
        except Exception:  # another version of the code may have written it
            logger.info("an entry of the cache cannot be read by this version", exc_info=True)
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
