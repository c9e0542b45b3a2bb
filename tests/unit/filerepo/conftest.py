from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.filewiki import make_file_wiki
from wikiapi.site import Site


@pytest.fixture(scope="session")
def wiki() -> Iterator[Site]:
    """Yield the wiki of filewiki.py, which no test changes."""
    site = make_file_wiki({"site": {"server": "https://wiki.example"}})
    yield site
    site.db.close()
