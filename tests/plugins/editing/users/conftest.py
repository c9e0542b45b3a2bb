from __future__ import annotations

import pytest

from tests.plugins.editing.users.acting import Acting
from wikiapi.site import Site


@pytest.fixture
def boss(site: Site) -> Acting:
    """Return the administrator of the test's wiki."""
    return Acting(site, "Boss")


@pytest.fixture
def ada(site: Site) -> Acting:
    """Return a user of it without further rights."""
    return Acting(site, "Ada")
