from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import settings

from wikiapi.site import Site

settings.register_profile("wikiapi", deadline=None, derandomize=True, database=None)
settings.load_profile("wikiapi")


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """``wikiapi.testing.make_site``, with every site closed at the end of the test."""
    from wikiapi.testing import make_site as make

    sites: list[Site] = []

    def make_and_remember(*args: Any, **options: Any) -> Site:
        sites.append(make(*args, **options))
        return sites[-1]

    yield make_and_remember
    for site in sites:
        site.db.close()
