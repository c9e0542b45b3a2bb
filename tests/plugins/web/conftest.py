from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.web.readers import Browser
from tests.plugins.web.readerwiki import reader_wiki
from wikiapi.site import Site


@pytest.fixture
def wiki(make_site: Callable[..., Site]) -> Browser:
    """Return a browser on the wiki of ``readerwiki``."""
    return Browser(reader_wiki(make_site))
