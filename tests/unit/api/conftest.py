from __future__ import annotations

from collections.abc import Iterator

import pytest

from wikiapi.site import Site
from wikiapi.testing import make_site


@pytest.fixture(scope="session")
def empty_site() -> Iterator[Site]:
    """Yield a wiki without pages, for tests that only read its settings."""
    site = make_site(interwiki={"de": "https://de.example/wiki/$1"})
    yield site
    site.db.close()
