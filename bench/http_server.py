"""A waitress server for the bare application and wikiapi.

``python -m bench.http_server DIR [WIKI]`` prints its port and serves until its standard input
is closed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from bench.bare_app import application as bare
from bench.wikis import WIKIS
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.http.serving.server import keep_heap
from wikiapi.testing.server import live_server


def dispatcher(wikiapi: WSGIApplication) -> WSGIApplication:
    """Return an application that sends paths under /w/ to wikiapi, all others to the bare one."""

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        chosen = wikiapi if environ["PATH_INFO"].startswith("/w/") else bare
        return chosen(environ, start_response)

    return application


def main(state: Path, wiki: str = "demo") -> None:
    """Serve until standard input is closed; ``wiki`` is a key of :data:`bench.wikis.WIKIS`."""
    with (
        WIKIS[wiki](state) as config,
        live_server(dispatcher(make_app(open_site(config)))) as base,
    ):
        keep_heap()
        print(base.rpartition(":")[2], flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
