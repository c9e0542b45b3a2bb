"""Mount wikiapi in another WSGI application.

Run it with any WSGI server::

    waitress-serve --listen=127.0.0.1:8000 examples.wsgi:application

The site is at ``/wiki-api`` followed by its script path, with the default settings
http://127.0.0.1:8000/wiki-api/w/api.php. See ``embedding`` for more examples: several wikis, Flask,
Django, gunicorn and uWSGI.
"""

from __future__ import annotations

from pathlib import Path
from wsgiref.types import WSGIApplication

from werkzeug.wrappers import Request, Response

from wikiapi.config import Config, load_config
from wikiapi.http import mount

MOUNT = "/wiki-api"


@Request.application
def shop(request: Request) -> Response:
    """Answer requests outside the wiki."""
    return Response(f"The shop, at {request.path}\n")


def with_wiki(config: Config) -> WSGIApplication:
    """Return an application of the shop and a wiki."""
    return mount(shop, {MOUNT: config})


def __getattr__(name: str) -> WSGIApplication:
    # Created when a server asks for it, so that importing this file opens no database.
    if name != "application":
        raise AttributeError(name)
    return with_wiki(load_config(Path(__file__).with_name("demo.toml")))
