"""The main page of a wiki whose configured one is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from wikiapi.importing.siteinfo import guessed_main_page, has_main_page
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site

LINKED = {"A": "[[Hub]]", "B": "[[Hub]] [[A]]", "C": "[[hub]] [[Gone]]", "D": "[[Gone]] [[Hub]]"}


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ({"MediaWiki:Mainpage": " Start \n", "Start": "x", "Main Page": "y"}, "Start"),
        ({"MediaWiki:Mainpage": "Gone", "Teahouse": "x", "Main Page": "y"}, "Teahouse"),
        ({"MediaWiki:Mainpage": "<bad>", "Main Page": "y"}, "Main Page"),
        ({"MediaWiki:Mainpage": "", "Hub": "x", **LINKED}, "Hub"),
        ({"MediaWiki:Mainpage": "Project:Home", "Project:Home": "x"}, "Teahouse:Home"),
        ({"Hub": "x", "A": "[[Hub]]", "B": "[[Hub]]"}, None),
        ({"Template:Box": "x"}, None),
        ({}, None),
    ],
)
def test_guesses(
    make_site: Callable[..., Site], pages: Mapping[str, str], expected: str | None
) -> None:
    site = make_site(pages, config={"site": {"name": "Teahouse", "main_page": "Nowhere"}})
    mark_all(site.db)
    LinksUpdate(site).run()
    found = guessed_main_page(site)
    assert (found.prefixed_text if found else None) == expected


@pytest.mark.parametrize(("name", "expected"), [("A", True), ("Main Page", False)])
def test_whether_it_is_there(make_site: Callable[..., Site], name: str, expected: bool) -> None:
    site = make_site({"A": "x"}, config={"site": {"main_page": name}})
    assert has_main_page(site) is expected
