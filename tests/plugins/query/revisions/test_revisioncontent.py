"""The content of revisions in the legacy form."""

from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

PAGES = {
    "Alpha": "lead\n== One ==\n{{REVISIONID}} {{Box}}",
    "Template:Box": "box\n== Within ==",
    "MediaWiki:Common.css": "a { color: red }",
}


pytestmark = pytest.mark.wiki(PAGES)


def rendered(site: Site, title: str, **params: str) -> str:
    asked = {"action": "query", "prop": "revisions", "rvprop": "content", "rvparse": "1"}
    (page,) = ask(site, {**asked, "titles": title, **params}).data["query"]["pages"]
    content = page["revisions"][0]["content"]
    assert isinstance(content, str)
    return content


def test_a_parsed_revision_has_edit_links_and_knows_its_number(site: Site) -> None:
    html = rendered(site, "Alpha")
    assert html.count('class="mw-editsection"') == 2
    assert "action=edit&amp;section=1" in html
    assert "title=Template:Box&amp;action=edit&amp;section=T-1" in html
    assert "<p>1 box" in html
    assert "NewPP" not in html


def test_a_style_sheet_is_shown_as_source(site: Site) -> None:
    assert "<pre" in rendered(site, "MediaWiki:Common.css")
