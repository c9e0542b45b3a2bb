from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.plugins.historywiki import history_wiki
from tests.plugins.querywiki import query_wiki
from wikiapi.site import Site


@pytest.fixture(scope="session")
def query_site() -> Iterator[Site]:
    """Yield the wiki of ``querywiki``, which no test changes."""
    site = query_wiki()
    yield site
    site.db.close()


@pytest.fixture
def make_query_site() -> Iterator[Callable[..., Site]]:
    """Return a function that creates wikis of ``querywiki`` which a test may change."""
    sites: list[Site] = []

    def make(**options: Any) -> Site:
        sites.append(query_wiki(**options))
        return sites[-1]

    yield make
    for site in sites:
        site.db.close()


@pytest.fixture(scope="session")
def history_site() -> Iterator[Site]:
    """Yield the wiki of ``historywiki``, as visitors see it; no test changes it."""
    site = history_wiki()
    yield site
    site.db.close()


@pytest.fixture(scope="session")
def open_history_site() -> Iterator[Site]:
    """The same wiki, where visitors may see what is deleted and what is patrolled.

    All that is hidden in changes and logs is suppressed.
    """
    rights = ["read", "deletedhistory", "deletedtext", "patrolmarks"]
    site = history_wiki({"permissions": {"anonymous_rights": rights}})
    for table, bits in (("recentchanges", "rc_deleted"), ("logging", "log_deleted")):
        site.db.execute_sql(f"UPDATE {table} SET {bits} = {bits} | 8 WHERE {bits} <> 0")
    yield site
    site.db.close()
