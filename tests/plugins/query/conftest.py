from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugins.linkwiki import link_wiki

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.site import Site


@pytest.fixture(scope="session")
def link_site() -> Iterator[Site]:
    """The wiki of ``linkwiki``, which no test changes."""
    site = link_wiki()
    yield site
    site.db.close()
