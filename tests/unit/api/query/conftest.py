from __future__ import annotations

from collections.abc import Iterator

import pytest

from wikiapi.site import Site
from wikiapi.testing import make_site

PAGES = {
    "Alpha": ["first", "second"],
    "Beta": "beta",
    "Old": "#REDIRECT [[Alpha]]",
    "Older": "#REDIRECT [[Old]]",
    "Section": "#REDIRECT [[Beta#Part one]]",
    "Loop A": "#REDIRECT [[Loop B]]",
    "Loop B": "#REDIRECT [[Loop A]]",
    "Narcissus": "#REDIRECT [[Narcissus]]",
    "Away": "#REDIRECT [[de:Ziel]]",
    "Broken": "#REDIRECT [[Nowhere]]",
}


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """Yield a wiki of pages and redirects."""
    made = make_site(PAGES, files=["A.png"], interwiki={"de": "https://de.example/wiki/$1"})
    yield made
    made.db.close()
