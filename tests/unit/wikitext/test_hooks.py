"""The hooks that take part in a rendering."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.title.title import Title
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


TEXT = "[https://example.org a&nbsp;b] &lt;i&gt;<br>\n\n{{Clock}} {{Echo|x}}"


class Plugin:
    """Takes part in every rendering of a site."""

    @hookimpl
    def transform_html(
        self, root: LexborNode, output: ParserOutput, options: ParserOptions
    ) -> None:
        assert options.wrapper_class == "mw-parser-output"
        for link in root.css("a"):
            link.attrs["rel"] = f"noreferrer {len(output.external_links)}"

    @hookimpl
    def resolve_template(self, title: Title) -> str | None:
        return "twelve {{Echo|o'clock}}" if title.text == "Clock" else None


@pytest.fixture(scope="module")
def wiki() -> Iterator[Site]:
    pages = {"Template:Echo": "{{{1}}}", "Template:Clock": "of the store"}
    site = make_site(pages, plugins=[Plugin()])
    yield site
    site.db.close()


def render(site: Site) -> str:
    return site.parser.parse(
        TEXT, site.titles.parse("Test"), ParserOptions(limit_report=False)
    ).html


def test_tree_is_changed_in_place(wiki: Site) -> None:
    html = render(wiki)
    assert 'rel="noreferrer 1"' in html
    assert "a\xa0b</a> &lt;i&gt;<br />" in html
    assert html.endswith("</p></div>")


def test_templates_are_resolved_by_plugins_first(wiki: Site) -> None:
    assert "twelve o'clock x" in render(wiki)
