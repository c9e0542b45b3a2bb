"""A store that is whole, for tests that break it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from wikiapi.dump.finish import finish_import
from wikiapi.testing import Edit, make_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.store.database import Database


@pytest.fixture
def db() -> Iterator[Database]:
    pages = {
        "Alpha": [Edit("first", user="Ada"), Edit("[[Beta]] [[Category:Letters]]", user="Bo")],
        "Beta": "{{T}} ünï",
        "Template:T": "t [https://example.org/ x]",
    }
    site = make_site(pages, users=["Ada", "Bo"])
    with closing(site.db):
        finish_import(site)
        yield site.db
