"""Mount wikiapi in another WSGI application.

Any WSGI server runs it::

    waitress-serve --listen=127.0.0.1:8000 wsgi:application

The site answers under ``/wiki-api`` followed by its own script path: with the default settings
http://127.0.0.1:8000/wiki-api/w/api.php. Several sites can be mounted; they share nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.wrappers import Request, Response

from wikiapi.config import load_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from wikiapi.config import Config


@Request.application
def shop(request: Request) -> Response:
    """The application that was there before."""
    return Response(f"The shop, at {request.path}\n")


def mounted(config: Config) -> WSGIApplication:
    """The shop, with a wiki under ``/wiki-api``."""
    return DispatcherMiddleware(shop, {"/wiki-api": make_app(open_site(config))})


def __getattr__(name: str) -> WSGIApplication:
    # Made when a server asks for it, so that importing this file opens no database.
    if name != "application":
        raise AttributeError(name)
    return mounted(load_config(Path(__file__).with_name("demo.toml")))
