"""Items of revisions: contents in the legacy form, and comparisons."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

PAGES = {
    "Alpha": "lead\n== One ==\n{{REVISIONID}} {{Box}}",
    "Template:Box": "box\n== Within ==",
    "MediaWiki:Common.css": "a { color: red }",
}


pytestmark = pytest.mark.wiki(PAGES)


def html_of(site: Site, title: str, **params: str) -> str:
    asked = {"action": "query", "prop": "revisions", "rvprop": "content", "rvparse": "1"}
    (page,) = ask(site, {**asked, "titles": title, **params}).data["query"]["pages"]
    content = page["revisions"][0]["content"]
    assert isinstance(content, str)
    return content


def test_a_parsed_revision_has_edit_links_and_knows_its_number(site: Site) -> None:
    html = html_of(site, "Alpha")
    assert html.count('class="mw-editsection"') == 2
    assert "action=edit&amp;section=1" in html
    assert "title=Template:Box&amp;action=edit&amp;section=T-1" in html
    assert "<p>1 box" in html
    assert "NewPP" not in html


def test_a_style_sheet_is_shown_as_source(site: Site) -> None:
    assert "<pre" in html_of(site, "MediaWiki:Common.css")


@pytest.mark.parametrize(
    ("asked", "expected"), [({}, "~~~"), ({"rvdifftotextpst": "1"}, "127.0.0.1")]
)
def test_a_text_is_compared_as_saving_it_would_store_it(
    make_site: Callable[..., Site], asked: dict[str, str], expected: str
) -> None:
    site = make_site({"Page": "one"})
    params = {"action": "query", "prop": "revisions", "titles": "Page", "rvdifftotext": "two ~~~"}
    page = ask(site, params | asked).data["query"]["pages"][0]
    body = page["revisions"][0]["diff"]["body"]
    assert "one" in body
    assert expected in body
    assert ("~~~" in body) is (expected == "~~~")


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
    make_site: Callable[..., Site], other: str, compared: list[tuple[int, int, str] | None]
) -> None:
    site = make_site({"Alone": "x", "Page": ["one", "one", "two"]})
    params = {"action": "query", "list": "allrevisions", "arvdir": "newer", "arvdiffto": other}
    pages = ask(site, params).data["query"]["allrevisions"]
    diffs = [revision["diff"] for page in pages for revision in page["revisions"]]
    for diff, expected in zip(diffs, compared, strict=True):
        if expected is None:
            assert diff == NOT_COMPARED
            continue
        old, new, word = expected
        assert (diff["from"], diff["to"]) == (old, new)
        assert (word in diff["body"]) if word else diff["body"] == ""
