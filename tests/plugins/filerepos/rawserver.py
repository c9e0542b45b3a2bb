"""A server that sends exactly the bytes a test wants, however ill they are."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def raw_server(answer: Callable[[bytes, Callable[[bytes], None]], None]) -> Iterator[str]:
    """Serve on a free port; ``answer`` gets the request's first bytes and a way to send.

    Gives the address of an ``api.php``.
    """

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            try:
                answer(self.request.recv(65_536), self.request.sendall)
            except OSError:
                return

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/w/api.php"
        finally:
            server.shutdown()
            thread.join()


def http(body: bytes, status: str = "200 OK", headers: bytes = b"") -> bytes:
    """Return an answer that ends with the connection."""
    return b"HTTP/1.1 " + status.encode() + b"\r\n" + headers + b"\r\n" + body
