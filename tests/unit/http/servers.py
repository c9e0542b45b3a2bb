"""A server of waitress that runs for the length of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wikiapi.testing.server import serving

if TYPE_CHECKING:
    from waitress.server import BaseWSGIServer


@contextmanager
def running(server: BaseWSGIServer) -> Iterator[int]:
    """Run a server in a thread; gives its port."""
    with serving(server):
        yield server.socket.getsockname()[1]
