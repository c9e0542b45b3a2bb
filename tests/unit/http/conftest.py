"""An empty wiki and a client of it."""

from __future__ import annotations

from collections.abc import Iterator
from wsgiref.types import WSGIApplication

import pytest

from tests.unit.http.sites import empty_site
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient


@pytest.fixture
def site() -> Iterator[Site]:
    """Yield a wiki without pages."""
    site = empty_site()
    yield site
    site.db.close()


@pytest.fixture
def app(site: Site) -> WSGIApplication:
    """Return its application."""
    return make_app(site)


@pytest.fixture
def client(app: WSGIApplication) -> ApiClient:
    """Return a client of it on another machine."""
    return ApiClient(app)
