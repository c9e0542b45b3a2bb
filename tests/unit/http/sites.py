"""A wiki with an empty store, whose clock stands still, behind the WSGI application."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from wsgiref.types import WSGIApplication

from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient
from wikiapi.testing.snapshots import new_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SECRET = "a key that several processes share"


def empty_site(
    *, plugins: Iterable[object] = (), http: dict[str, Any] | None = None, **tables: Any
) -> Site:
    """Return a site; ``http`` and ``tables`` are settings."""
    settings = {
        "http": {"secret_key": SECRET, **(http or {})},
        "site": {"wiki_id": "demo"},
        # These tests are about the API and the mounts of their own plugins.
        "plugins": {"disabled": ["reader"]},
    }
    config = parse_config({**settings, **tables})
    return open_site(config, plugins=plugins, database=new_store(None), clock=lambda: NOW)


def app_of(**options: Any) -> WSGIApplication:
    """Return the application of such a site."""
    return make_app(empty_site(**options))


def client_of(**options: Any) -> ApiClient:
    """Return a client of such a site on another machine."""
    return ApiClient(app_of(**options))
