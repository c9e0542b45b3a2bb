"""Row 62 of the hostile inputs: one budget bounds what a request costs, whatever it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.budget import Allowance
from wikiapi.hookspecs import hookimpl
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.wikitext.declarations import ExtensionTag, FunctionCall, ParserFunction, TagCall

EXCEEDED = "internal_api_error_BudgetExceeded"
SMALL = {"limits": {"request_bytes": 2_000_000, "request_steps": 50_000}}


class Careless:
    """A plugin that never looks at the budget.

    ``late`` are the late texts that it has been asked for.
    """

    def __init__(self) -> None:
        self.late: list[str] = []

    @hookimpl
    def register_extension_tags(self) -> list[ExtensionTag]:
        return [ExtensionTag("bulky", self._bulky)]

    @hookimpl
    def register_parser_functions(self) -> list[ParserFunction]:
        return [
            ParserFunction("#again", self._again),
            ParserFunction("#late", self._late),
            ParserFunction("#swell", self._swell),
        ]

    def _bulky(self, call: TagCall) -> str:
        return "x" * 100_000

    def _again(self, call: FunctionCall) -> str:
        for _ in range(100_000):
            call.state.expander.expand_text("{{#again2:}}", call.frame)
        return ""

    def _late(self, call: FunctionCall) -> str:
        def text() -> str:
            self.late.append("x" * 100_000)
            return self.late[-1]

        return call.state.add_late_text(text, "late")

    def _swell(self, call: FunctionCall) -> str:
        changes = getattr(call.state, call.first)
        if call.first == "page_footers":
            changes.append(lambda: "x" * 100_000)
        else:
            changes.append(lambda text: text + "x" * 100_000)
        return ""


@pytest.fixture
def client(make_site: Callable[..., Site]) -> ApiClient:
    return ApiClient(make_app(make_site(config=SMALL, plugins=[Careless()])))


def code(client: ApiClient, text: str) -> str:
    answer: dict[str, Any] = client.post(
        action="parse", title="X", contentmodel="wikitext", text=text
    )
    return str(answer.get("error", {}).get("code", "")) or "answered"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("headings", "=a=\n" * 20_000),
        ("edit links", "==a==\nb\n" * 20_000),
        ("footnotes", "<ref>a</ref>" * 20_000),
        ("galleries", "<gallery>\nA.jpg\n</gallery>" * 20_000),
        ("links", "".join(f"[[a{n}]]" for n in range(20_000))),
        ("links to one page", "[[a]]" * 20_000),
        ("tables", "{|\n|a\n|}\n" * 20_000),
        ("lines", "*a\n" * 30_000),
        ("elements", "<b>a</b>" * 20_000),
        ("addresses", "".join(f"http://a.example/{n} " for n in range(20_000))),
        ("categories", "".join(f"[[Category:a{n}]]" for n in range(20_000))),
        ("templates that are not there", "".join(f"{{{{a{n}}}}}" for n in range(20_000))),
        ("text that is not markup", "<nowiki>&</nowiki>" * 20_000),
    ],
)
def test_texts_that_need_too_much_are_given_up(client: ApiClient, name: str, text: str) -> None:
    assert code(client, text) == EXCEEDED
    assert code(client, text[:500]) == "answered", "the next request has a budget of its own"


def test_a_tag_that_returns_too_much_is_given_up(client: ApiClient) -> None:
    assert code(client, "<bulky/>" * 100) == EXCEEDED


def test_late_texts_count_as_included_before_they_are_inserted(
    make_site: Callable[..., Site],
) -> None:
    careless = Careless()
    small = {"limits": {"article_size": 500_000}}
    client = ApiClient(make_app(make_site(config=small, plugins=[careless])))
    answer = client.post(
        action="parse", title="X", contentmodel="wikitext", text="{{#late:}}" * 50, prop="text"
    )
    text = answer["parse"]["text"]
    assert text.count("x" * 100_000) == 4, "and the markers themselves were included as well"
    assert text.count("post-expand include size too large") == 46


def test_late_texts_in_tags_count_as_well(make_site: Callable[..., Site]) -> None:
    small = {"limits": {"article_size": 500_000}}
    client = ApiClient(make_app(make_site(config=small, plugins=[Careless()])))
    answer = client.post(
        action="parse",
        title="X",
        contentmodel="wikitext",
        text="<poem>{{#late:}}</poem>" * 50 + "{{#late:}}" * 2,
        prop="text",
    )
    assert answer["parse"]["text"].count("x" * 100_000) == 4


def test_final_values_of_variables_are_bounded(client: ApiClient) -> None:
    value = "{{#vardefine:a|" + "z" * 100_000 + "}}"
    answer = client.post(
        action="parse", title="X", contentmodel="wikitext", text=value + "{{#var_final:a}}" * 2000
    )
    assert answer.get("error", {}).get("code") == EXCEEDED or len(str(answer)) < 4_000_000


@pytest.mark.parametrize("changes", ["after_expansion", "page_footers", "page_changes"])
def test_what_plugins_add_to_a_page_is_counted(client: ApiClient, changes: str) -> None:
    assert code(client, f"{{{{#swell:{changes}}}}}" * 100) == EXCEEDED


def test_a_late_text_that_was_dropped_is_not_made(make_site: Callable[..., Site]) -> None:
    careless = Careless()
    client = ApiClient(make_app(make_site(plugins=[careless])))
    assert code(client, "{{#if:{{#late:}}|a|b}}" * 3) == "answered"
    assert careless.late == []


def test_a_function_that_works_too_much_is_given_up(client: ApiClient) -> None:
    assert code(client, "{{#again:}}") == EXCEEDED


def test_what_was_given_up_is_in_no_cache(make_site: Callable[..., Site]) -> None:
    site = make_site({"Heavy": "<bulky/>" * 100}, config=SMALL, plugins=[Careless()])
    client = ApiClient(make_app(site))
    assert client.get(action="parse", page="Heavy")["error"]["code"] == EXCEEDED
    site.__dict__["_allowance"] = Allowance()
    assert "xxx" in client.get(action="parse", page="Heavy")["parse"]["text"]


_LONG = 2_097_154


@pytest.mark.parametrize(
    "params",
    [
        {"action": "parse", "text": "a" * _LONG},
        {"action": "parse", "text": "a", "title": "X", "summary": "ж" * (_LONG // 2)},
        {"action": "expandtemplates", "prop": "wikitext", "text": "a" * _LONG},
        {"action": "compare", "fromtext": "a" * _LONG, "totext": "b"},
        {"action": "query", "titles": "a" * _LONG},
    ],
)
@pytest.mark.parametrize("article_size", [262_144, 2_097_152])
def test_a_parameter_is_no_longer_than_a_large_page(
    make_site: Callable[..., Site], params: dict[str, str], article_size: int
) -> None:
    client = ApiClient(make_app(make_site(config={"limits": {"article_size": article_size}})))
    error = client.post(**params)["error"]
    assert (error["code"], error["maxbytes"]) == ("maxbytes", 2_097_152)
