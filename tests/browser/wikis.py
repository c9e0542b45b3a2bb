"""Wikis for browsers: on a real port that they know as their own."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from wsgiref.types import WSGIApplication

from tests.plugins.querywiki import query_wiki
from wikiapi.http.app import make_app
from wikiapi.testing import live_server


@contextmanager
def served(
    wrap: Callable[[WSGIApplication], WSGIApplication] = lambda app: app,
) -> Iterator[str]:
    """Serve the wiki of ``querywiki``; gives ``http://HOST:PORT``.

    ``wrap`` may mount its application in another one.
    """
    with socket.create_server(("127.0.0.1", 0)) as probe:
        host = f"127.0.0.1:{probe.getsockname()[1]}"
    site = query_wiki({"site": {"server": f"http://{host}"}})
    with closing(site.db), live_server(wrap(make_app(site)), host) as server:
        yield server
