"""A server of waitress that runs for the length of a block."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from waitress import wasyncore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waitress.server import BaseWSGIServer


@contextmanager
def running(server: BaseWSGIServer) -> Iterator[int]:
    """Run a server in a thread; gives its port."""
    loop = threading.Thread(target=server.run)
    loop.start()
    try:
        yield server.socket.getsockname()[1]
    finally:
        server.trigger.pull_trigger(lambda: wasyncore.close_all(server._map))
        loop.join()
        server.task_dispatcher.shutdown()
