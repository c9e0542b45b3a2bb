from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.plugins.querywiki import query_wiki

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wikiapi.site import Site


@pytest.fixture(scope="session")
def query_site() -> Iterator[Site]:
    """The wiki of ``querywiki``, which no test changes."""
    site = query_wiki()
    yield site
    site.db.close()


@pytest.fixture
def make_query_site() -> Iterator[Callable[..., Site]]:
    """Makes wikis of ``querywiki`` that a test may change."""
    sites: list[Site] = []

    def make(**options: Any) -> Site:
        sites.append(query_wiki(**options))
        return sites[-1]

    yield make
    for site in sites:
        site.db.close()
