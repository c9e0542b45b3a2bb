from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plugins.linkwiki import link_wiki
from wikiapi.site import Site


@pytest.fixture(scope="session")
def link_site() -> Iterator[Site]:
    """Yield the wiki of ``linkwiki``, which no test changes."""
    site = link_wiki()
    yield site
    site.db.close()
