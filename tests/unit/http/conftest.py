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
    """A wiki without pages."""
    site = empty_site()
    yield site
    site.db.close()


@pytest.fixture
def app(site: Site) -> WSGIApplication:
    """Its application."""
    return make_app(site)


@pytest.fixture
def client(app: WSGIApplication) -> ApiClient:
    """A client of it, from another machine."""
    return ApiClient(app)
