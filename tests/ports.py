"""Ports of this machine for programs that tests start."""

from __future__ import annotations

import socket
import time

PATIENCE = 60.0


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until a program listens on a port.

    Raises:
        ConnectionRefusedError: none does in time.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return
