from __future__ import annotations

import json
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.extensions.categorytree.options import HidePrefix, Mode, TreeOptions

pytestmark = pytest.mark.wiki(
    {
        "Category:Root": "",
        "Category:One": "[[Category:Root]]",
        "Category:Two": "[[Category:One]]",
        "Category:Three": "[[Category:Two]]",
        "Page & more": "[[Category:Root]]",
        "Talk:Other": "[[Category:Root]]",
    },
    writable=False,
)


def children(site: Site, category: str, **options: Any) -> str:
    params = {"action": "categorytree", "category": category, "options": json.dumps(options)}
    html = ask(site, params).data["categorytree"]["html"]
    assert isinstance(html, str)
    return html


def tag(site: Site, text: str) -> str:
    params = {"action": "parse", "text": text, "contentmodel": "wikitext", "prop": "text"}
    html = ask(site, params | {"disablelimitreport": "1"}).data["parse"]["text"]
    assert isinstance(html, str)
    return html


def test_categories_only(site: Site) -> None:
    html = children(site, "Root")
    assert ">One</a>" in html
    assert "Page" not in html
    assert ">Two</a>" not in html


def test_depth_is_capped(site: Site) -> None:
    html = children(site, "Category:Root", depth=9)
    assert ">Two</a>" in html
    assert ">Three</a>" not in html


def test_all_with_and_without_prefix(site: Site) -> None:
    html = children(site, "Root", mode="all", hideprefix="never")
    assert ">Category:One</a>" in html
    assert ">Page &amp; more</a>" in html
    assert ">Other</a>" in children(site, "Root", mode="all", hideprefix="always")


def test_namespaces(site: Site) -> None:
    html = children(site, "Root", namespaces=[1])
    assert (">Talk:Other</a>" in html, "One" in html) == (True, False)


def test_parents(site: Site) -> None:
    assert ">Root</a>" in children(site, "One", mode="parents")


def test_one_query_for_a_level(site: Site) -> None:
    with site.db.recording() as log:
        children(site, "Root", depth=2)
    assert sum("categorylinks" in record.statement for record in log) == 2


def test_version_1(site: Site) -> None:
    params = {"action": "categorytree", "category": "Nowhere"}
    assert ask(site, params).version1 == {"categorytree": {"*": ""}}


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"category": "Root", "options": "[1]"}, "invalidjson"),
        ({"category": "Root", "options": "{"}, "invalidjson"),
        ({"category": "<"}, "invalidtitle"),
        ({}, "missingparam"),
    ],
)
def test_errors(site: Site, params: dict[str, str], code: str) -> None:
    assert ask(site, {"action": "categorytree", **params}).codes == code


def test_tag_and_function_are_the_same(site: Site) -> None:
    html = tag(site, "<categorytree showcount=1 class=x>Root</categorytree>")
    assert 'class="x CategoryTreeTag"' in html
    assert "(1 C, 2 P)" in html
    assert tag(site, "{{#categorytree:Root|showcount|class=x}}") == html


def test_hidden_root(site: Site) -> None:
    html = tag(site, "<categorytree hideroot=1>Root</categorytree>")
    assert (">Root</a>" in html, ">One</a>" in html) == (False, True)


def test_missing_category_is_escaped(site: Site) -> None:
    assert "<i>A &amp; b</i> not found" in tag(site, "<categorytree>A & b</categorytree>")


def test_options(site: Site) -> None:
    attributes = {"mode": "20", "hideprefix": "auto", "namespaces": "- Category"}
    options = TreeOptions.read(attributes, site)
    assert (options.mode, options.hide_prefix, options.namespaces) == (
        Mode.ALL,
        HidePrefix.AUTO,
        (0, 14),
    )
