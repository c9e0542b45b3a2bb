"""Revisions of generated pages, and pages of generated revisions."""

from __future__ import annotations

from collections.abc import Callable

from wikiapi.site import Site
from wikiapi.testing import ask


def test_revisions_of_redirects_that_a_generator_yields(make_site: Callable[..., Site]) -> None:
    site = make_site({"Old": "#REDIRECT [[New]]", "New": "n"})
    params = {"action": "query", "generator": "allrevisions", "redirects": "", "prop": "revisions"}
    answer = ask(site, params | {"rvprop": "ids|parsedcomment"})
    named = ask(site, {"action": "query", "revids": "1", "redirects": "", "prop": "info"})
    assert answer.codes == ""
    assert answer.data["query"]["redirects"] == [{"from": "Old", "to": "New"}]
    [page] = named.data["query"]["pages"]
    assert (page["title"], page["redirect"]) == ("Old", True)


def test_pages_of_generated_revisions_stay_the_same_while_a_client_goes_on(
    make_site: Callable[..., Site],
) -> None:
    site = make_site({"Page": ["1", "2"], "Links": "[[Page]]", "More": "[[Page]]"})
    params = {"action": "query", "generator": "allrevisions", "garvlimit": "4", "garvdir": "newer"}
    data = ask(site, params | {"prop": "linkshere", "lhlimit": "1"}).data
    assert data["continue"]["continue"] == "garvcontinue||"
    assert data["continue"]["garvcontinue"].endswith("|1")
