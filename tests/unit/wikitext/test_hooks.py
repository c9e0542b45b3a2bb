"""The hooks that take part in a rendering."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from wikiapi.errors import BudgetExceeded
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.title.title import Title
from wikiapi.wikitext import ExtensionTag, ParseState, TagCall
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
def wiki(make_module_site: Callable[..., Site]) -> Site:
    pages = {"Template:Echo": "{{{1}}}", "Template:Clock": "of the store"}
    return make_module_site(pages, plugins=[Plugin()])


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


class Breaks:
    """Fails in a hook, or in a function that it asks the rendering to call."""

    def __init__(self, hook: str) -> None:
        self.hook = hook

    def _fail(self, hook: str) -> None:
        if hook == self.hook:
            raise ZeroDivisionError("nothing divides")

    def _changed(self, text: str) -> str:
        self._fail("after_expansion")
        return text

    def _made(self) -> str:
        self._fail("page_footers")
        return "foot"

    def _finished(self, html: str) -> str:
        self._fail("page_changes")
        return html

    @hookimpl
    def register_extension_tags(self) -> list[ExtensionTag]:
        return [ExtensionTag("asks", self._ask)]

    def _ask(self, call: TagCall) -> str:
        call.state.after_expansion.append(self._changed)
        call.state.page_footers.append(self._made)
        call.state.page_changes.append(self._finished)
        return "asked"

    @hookimpl
    def resolve_template(self, title: Title) -> str | None:
        if title.text == "Cup":
            self._fail("resolve_template")
        return None

    @hookimpl
    def on_page_parsed(self, state: ParseState) -> None:
        self._fail("on_page_parsed")

    @hookimpl
    def on_links_found(self, state: ParseState) -> None:
        self._fail("on_links_found")

    @hookimpl
    def transform_html(self, root: LexborNode) -> None:
        for link in root.css("a"):
            link.attrs["rel"] = "broken"
        self._fail("transform_html")

    @hookimpl
    def on_rendering_ended(self, state: ParseState) -> None:
        self._fail("on_rendering_ended")


class Works:
    """Does its part in every hook, before or after the one that fails."""

    def __init__(self) -> None:
        self.called: list[str] = []

    @hookimpl
    def resolve_template(self, title: Title) -> str | None:
        return "of a plugin" if title.text == "Clock" else None

    @hookimpl
    def on_page_parsed(self) -> None:
        self.called.append("on_page_parsed")

    @hookimpl
    def on_links_found(self, state: ParseState) -> None:
        self.called.append("on_links_found")

    @hookimpl
    def transform_html(self, root: LexborNode) -> None:
        for link in root.css("a"):
            link.attrs["class"] = "changed"
        self.called.append("transform_html")

    @hookimpl
    def on_rendering_ended(self) -> None:
        self.called.append("on_rendering_ended")


EVENTS = ["on_page_parsed", "on_links_found", "transform_html", "on_rendering_ended"]
FUNCTIONS = {
    "after_expansion": "Breaks._changed",
    "page_footers": "Breaks._made",
    "page_changes": "Breaks._finished",
}


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("hook", ["resolve_template", *EVENTS, *FUNCTIONS])
def test_a_page_is_shown_without_what_a_plugin_fails_to_do(
    hook: str, is_first: bool, caplog: pytest.LogCaptureFixture
) -> None:
    works, breaks = Works(), Breaks(hook)
    pages = {"Cup": "", "Template:Cup": "of the store"}
    site = make_site(pages, plugins=[works, breaks] if is_first else [breaks, works])
    works.called.clear()  # of the links that the site began with
    caplog.clear()
    with closing(site.db):
        title = site.titles.parse("Tea")
        text = "{{Clock}} {{Cup}} [[Cup]] [https://example.org a] <asks/>"
        output = site.parser.parse(text, title, ParserOptions(limit_report=False))
    assert "of a plugin of the store" in output.html
    assert "asked" in output.html
    assert ("foot" in output.html) == (hook != "page_footers")
    assert ('rel="broken"' in output.html) == (hook != "transform_html")
    assert output.html.count('class="changed"') == 2
    assert works.called == EVENTS
    name = FUNCTIONS.get(hook, hook)
    assert [record.getMessage() for record in caplog.records] == [
        f"page 'Tea': {name} of plugin Breaks failed: ZeroDivisionError: nothing divides"
    ]
    assert output.warnings == {
        "wikiapi-plugin-error": f"{name} of the plugin Breaks failed: ZeroDivisionError"
    }
    assert "Pages_with_errors_of_plugins" in output.categories
    assert output.cache_expiry == 60


class Overspends:
    """Exceeds what a request may cost when a rendering has ended."""

    @hookimpl
    def on_rendering_ended(self, state: ParseState) -> None:
        raise BudgetExceeded("steps", 1)


def test_a_limit_ends_the_request_after_all_plugins_were_told() -> None:
    first, last = Works(), Works()
    site = make_site({}, plugins=[first, Overspends(), last])
    with closing(site.db), pytest.raises(BudgetExceeded):
        site.parser.parse("tea", site.titles.parse("Tea"), ParserOptions())
    assert first.called[-1] == last.called[-1] == "on_rendering_ended"
