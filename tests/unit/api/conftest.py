from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikiapi.testing import make_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.site import Site


@pytest.fixture(scope="session")
def empty_site() -> Iterator[Site]:
    """A wiki without pages, for tests that only read its settings."""
    site = make_site(interwiki={"de": "https://de.example/wiki/$1"})
    yield site
    site.db.close()
