from __future__ import annotations

import pytest

from wikiapi.testing import ask, make_site


@pytest.mark.parametrize(("asked", "shown"), [({}, "~~~"), ({"rvdifftotextpst": "1"}, "127.0.0.1")])
def test_a_text_is_compared_as_saving_it_would_store_it(asked: dict[str, str], shown: str) -> None:
    site = make_site({"Page": "one"})
    params = {"action": "query", "prop": "revisions", "titles": "Page", "rvdifftotext": "two ~~~"}
    page = ask(site, params | asked).data["query"]["pages"][0]
    body = page["revisions"][0]["diff"]["body"]
    assert "one" in body
    assert shown in body
    assert ("~~~" in body) is (shown == "~~~")
    site.db.close()


NOT_COMPARED = {"notcached": True}


@pytest.mark.parametrize(
    ("other", "compared"),
    [
        ("cur", [(1, 0, ""), (2, 0, "two"), None, None]),
        ("prev", [(False, 1, ""), (False, 2, ""), (2, 3, ""), (3, 4, "two")]),
        ("next", [(1, 0, ""), (2, 3, ""), (3, 4, "two"), None]),
    ],
)
def test_what_has_no_difference_does_not_count(
    other: str, compared: list[tuple[int, int, str] | None]
) -> None:
    site = make_site({"Alone": "x", "Page": ["one", "one", "two"]})
    params = {"action": "query", "list": "allrevisions", "arvdir": "newer", "arvdiffto": other}
    pages = ask(site, params).data["query"]["allrevisions"]
    diffs = [revision["diff"] for page in pages for revision in page["revisions"]]
    site.db.close()
    for diff, expected in zip(diffs, compared, strict=True):
        if expected is None:
            assert diff == NOT_COMPARED
            continue
        old, new, word = expected
        assert (diff["from"], diff["to"]) == (old, new)
        assert (word in diff["body"]) if word else diff["body"] == ""


def test_revisions_of_redirects_that_a_generator_yields() -> None:
    site = make_site({"Old": "#REDIRECT [[New]]", "New": "n"})
    params = {"action": "query", "generator": "allrevisions", "redirects": "", "prop": "revisions"}
    answer = ask(site, params | {"rvprop": "ids|parsedcomment"})
    named = ask(site, {"action": "query", "revids": "1", "redirects": "", "prop": "info"})
    site.db.close()
    assert answer.codes == ""
    assert answer.data["query"]["redirects"] == [{"from": "Old", "to": "New"}]
    [page] = named.data["query"]["pages"]
    assert (page["title"], page["redirect"]) == ("Old", True)


def test_pages_of_generated_revisions_stay_the_same_while_a_client_goes_on() -> None:
    site = make_site({"Page": ["1", "2"], "Links": "[[Page]]", "More": "[[Page]]"})
    params = {"action": "query", "generator": "allrevisions", "garvlimit": "4", "garvdir": "newer"}
    data = ask(site, params | {"prop": "linkshere", "lhlimit": "1"}).data
    site.db.close()
    assert data["continue"]["continue"] == "garvcontinue||"
    assert data["continue"]["garvcontinue"].endswith("|1")
