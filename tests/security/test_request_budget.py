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
from wikiapi.wikitext.declarations import ExtensionTag, ParserFunction
from wikiapi.wikitext.expand.call import FunctionCall, TagCall

EXCEEDED = "internal_api_error_BudgetExceeded"
SMALL = {"limits": {"request_bytes": 2_000_000, "request_steps": 50_000}}


class Careless:
    """A plugin that never looks at the budget."""

    @hookimpl
    def register_extension_tags(self) -> list[ExtensionTag]:
        return [ExtensionTag("bulky", self._bulky)]

    @hookimpl
    def register_parser_functions(self) -> list[ParserFunction]:
        return [ParserFunction("#again", self._again)]

    def _bulky(self, call: TagCall) -> str:
        return "x" * 100_000

    def _again(self, call: FunctionCall) -> str:
        for _ in range(100_000):
            call.state.expander.expand_text("{{#again2:}}", call.frame)
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
        ("addresses", "".join(f"http://a.example/{n} " for n in range(20_000))),
        ("categories", "".join(f"[[Category:a{n}]]" for n in range(20_000))),
        ("templates that are not there", "".join(f"{{{{a{n}}}}}" for n in range(20_000))),
        ("text that is not markup", "<nowiki>&</nowiki>" * 20_000),
    ],
)
def test_row_62_texts_that_need_too_much_are_given_up(
    client: ApiClient, name: str, text: str
) -> None:
    assert code(client, text) == EXCEEDED
    assert code(client, text[:1000]) == "answered", "the next request has a budget of its own"


def test_a_tag_that_returns_too_much_is_given_up(client: ApiClient) -> None:
    assert code(client, "<bulky/>" * 100) == EXCEEDED


def test_a_function_that_works_too_much_is_given_up(client: ApiClient) -> None:
    assert code(client, "{{#again:}}") == EXCEEDED


def test_what_was_given_up_is_in_no_cache(make_site: Callable[..., Site]) -> None:
    site = make_site({"Heavy": "<bulky/>" * 100}, config=SMALL, plugins=[Careless()])
    client = ApiClient(make_app(site))
    assert client.get(action="parse", page="Heavy")["error"]["code"] == EXCEEDED
    site.__dict__["_allowance"] = Allowance()
    assert "xxx" in client.get(action="parse", page="Heavy")["parse"]["text"]


@pytest.mark.parametrize(
    "params",
    [
        {"action": "parse", "text": "a" * 300_000},
        {"action": "parse", "text": "a", "title": "X", "summary": "ж" * 150_000},
        {"action": "expandtemplates", "prop": "wikitext", "text": "a" * 300_000},
        {"action": "compare", "fromtext": "a" * 300_000, "totext": "b"},
        {"action": "query", "titles": "a" * 300_000},
    ],
)
def test_row_62_a_parameter_is_no_longer_than_a_page(
    make_site: Callable[..., Site], params: dict[str, str]
) -> None:
    client = ApiClient(make_app(make_site(config={"limits": {"article_size": 262_144}})))
    error = client.post(**params)["error"]
    assert (error["code"], error["maxbytes"]) == ("maxbytes", 262_144)
