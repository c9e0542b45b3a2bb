"""What processes need that tests start."""

from __future__ import annotations

import os
import sys

ANNOUNCING = """
from wikiapi.http.serving import server
create_server = server.create_server
def announce(*args, **options):
    http_server = create_server(*args, **options)
    print(http_server.socket.getsockname()[1], flush=True)
    return http_server
server.create_server = announce
"""
"""The beginning of a script that calls ``server.serve``: it prints the port."""


def environment(**more: str) -> dict[str, str]:
    """Return the environment variables for child processes, and some more."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}
