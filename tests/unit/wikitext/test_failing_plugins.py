"""Plugins that raise while a page is rendered: the page shows an error, and the log names them."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from wikiapi.errors import BudgetExceeded, StoreTimeout
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.wikitext import (
    ExtensionTag,
    FunctionCall,
    ParserFunction,
    ParserOptions,
    ParseState,
    SpecialCall,
    SpecialPage,
    TagCall,
    Variable,
)
from wikiapi.wikitext.output import ParserOutput

CATEGORY = "Pages_with_errors_of_plugins"
MARKUP = {
    "tag": "<brittle>x</brittle>",
    "parser function": "{{#brittle:x}}",
    "variable": "{{BRITTLE}}",
    "special page": "{{Special:Brittle}}",
}


class Brittle:
    """Raises wherever it is called."""

    error: Exception = ZeroDivisionError("nothing <b>divides</b> by zero")

    def _raise(self, call: FunctionCall | TagCall | SpecialCall | ParseState) -> str:
        raise self.error

    @hookimpl
    def register_extension_tags(self) -> list[ExtensionTag]:
        return [ExtensionTag("brittle", self._raise)]

    @hookimpl
    def register_parser_functions(self) -> list[ParserFunction]:
        return [ParserFunction("#brittle", self._raise)]

    @hookimpl
    def register_variables(self) -> list[Variable]:
        return [Variable("BRITTLE", self._raise)]

    @hookimpl
    def register_special_pages(self) -> list[SpecialPage]:
        return [SpecialPage("Brittle", self._raise)]


Rendered = Callable[..., ParserOutput]


@pytest.fixture
def plugin() -> Brittle:
    return Brittle()


@pytest.fixture
def site(plugin: Brittle, make_site: Callable[..., Site]) -> Site:
    return make_site({}, plugins=[plugin])


@pytest.fixture
def rendered(site: Site) -> Rendered:
    options = ParserOptions(limit_report=False)
    return lambda text: site.parser.parse(text, site.titles.parse("Some page"), options)


@pytest.mark.parametrize("kind", MARKUP)
def test_the_page_shows_an_error_and_goes_on(rendered: Rendered, kind: str) -> None:
    output = rendered(f"before {MARKUP[kind]} '''after'''")
    assert "before " in output.html
    assert "<b>after</b>" in output.html
    assert '<span class="error">' in output.html
    assert "ZeroDivisionError" in output.html
    assert "Brittle" in output.html
    assert "divides" not in output.html
    assert CATEGORY in output.categories
    assert output.good_for(86_400) <= 60


@pytest.mark.parametrize("kind", MARKUP)
def test_the_log_names_page_and_plugin(
    rendered: Rendered, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    rendered(MARKUP[kind])
    [record] = caplog.records
    text = record.getMessage()
    assert "'Some page'" in text
    assert "plugin Brittle" in text
    assert "brittle" in text.lower()
    assert "divides" in text
    assert record.exc_info is not None


def test_a_traceback_is_logged_once(rendered: Rendered, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        rendered(MARKUP["tag"])
    assert [bool(record.exc_info) for record in caplog.records] == [True, False, False]


def test_a_failing_argument_is_part_of_what_works(rendered: Rendered) -> None:
    output = rendered("{{#if:x|{{#brittle:}}|no}} <poem>a <brittle /> b</poem>")
    assert output.html.count('<span class="error">') == 2
    assert "poem" in output.html


def test_links_are_derived(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    title = site.titles.parse("Some page")
    output = site.parser.links_of("<brittle /> [[Target]] {{#brittle:}}", title)
    assert (0, "Target") in output.links
    assert len(caplog.records) == 2


@pytest.mark.parametrize(
    "error", [BudgetExceeded("steps", 1), StoreTimeout("too slow")], ids=["budget", "store"]
)
def test_the_end_of_a_request_is_not_held_up(
    rendered: Rendered, plugin: Brittle, error: Exception
) -> None:
    plugin.error = error
    with pytest.raises(type(error)):
        rendered(MARKUP["tag"])
    with pytest.raises(type(error)):
        rendered(MARKUP["parser function"])


def test_caplog_level_of_the_log_is_error(
    rendered: Rendered, caplog: pytest.LogCaptureFixture
) -> None:
    rendered(MARKUP["tag"])
    assert caplog.records[0].levelno == logging.ERROR
