from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.testing.wiki import Wiki


@pytest.fixture
def site(wiki: Wiki) -> Site:
    """Return the site of the wiki that the module's marker ``wiki`` declares."""
    return wiki.site
