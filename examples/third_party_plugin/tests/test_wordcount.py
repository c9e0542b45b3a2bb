"""The plugin on a site of three pages; ``pytest`` runs this beside an installed wikiapi."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
import wikiapi_wordcount

from wikiapi.http.app import make_app
from wikiapi.testing.client import ApiClient
from wikiapi.testing.conformance import CHECKS, modules_of
from wikiapi.testing.sites import make_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wikiapi.site import Site

PAGES = {"Main Page": "It is hot.", "Coffee": "It is black and hot.", "Nothing": ""}
UNINSTALLED = {"plugins": {"disabled": ["wordcount"]}}
"""The plugin is given as it lies here, whether or not it is installed as well."""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A wiki with the plugin."""
    made = make_site(PAGES, config=UNINSTALLED, plugins=[wikiapi_wordcount])
    with closing(made.db):
        yield made


def test_pages_are_counted(site: Site) -> None:
    """A missing page has no count, an empty one has none in it."""
    client = ApiClient(make_app(site), defaults={"format": "json", "formatversion": 2})
    answer = client.get(action="query", prop="wordcount", titles=[*PAGES, "Missing"])
    counts = {page["title"]: page.get("wordcount") for page in answer["query"]["pages"]}
    assert counts == {"Main Page": 3, "Coffee": 5, "Nothing": 0, "Missing": None}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(check: Callable[..., Iterator[str]], site: Site) -> None:
    """The module does what every module must do."""
    modules = modules_of(site, plugin="wikiapi_wordcount")
    assert [module.name for module in modules] == ["wordcount"]
    assert list(check(site, modules)) == []
