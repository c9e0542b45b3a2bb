"""A request that takes too long is told so, and leaves nothing half done behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.watch import Watch, slow_site
from wikiapi.config import NamespaceConfig
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.testing.client import Answer

CODE = "internal_api_error_Wikimedia\\RequestTimeout\\RequestTimeoutException"
PAGES = {
    "Slow": "begin {{Step|a}}{{Step|b}}{{Step|c}} end",
    "Template:Step": "{{#work:40|{{{1}}}}}",
    "Module:M": """
        local p = {}
        function p.f(frame)
            for n = 1, 9 do pcall(frame.preprocess, frame, '{{#work:40|' .. n .. '}}') end
            return 'survived'
        end
        return p""",
}


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def site(watch: Watch) -> Iterator[Site]:
    site = slow_site(PAGES, watch, namespaces=[NamespaceConfig(828, "Module")])
    yield site
    site.db.close()


def code(answer: Answer) -> str:
    assert answer.keys() <= {"error", "warnings"}, "nothing half written is beside the error"
    return answer["error"]["code"]


def test_the_client_sees_an_error_of_the_api(client: ApiClient) -> None:
    reply = client.reply("GET", action="parse", page="Slow")
    assert reply.status == 200
    assert reply.headers["mediawiki-api-error"] == CODE
    assert reply.headers["cache-control"].startswith("private")
    error = client.get(action="parse", page="Slow")["error"]
    assert error["errorclass"] == CODE.removeprefix("internal_api_error_")
    assert error["info"].endswith("The request took longer than the 60 seconds it may take.")


def test_templates_are_not_expanded_any_more(client: ApiClient, watch: Watch) -> None:
    assert code(client.get(action="parse", page="Slow")) == CODE
    assert watch.done == ["a", "b"]


def test_a_text_that_is_expanded_is_not_rendered_any_more(client: ApiClient) -> None:
    assert code(client.get(action="parse", title="X", text="{{#work:61|a}}")) == CODE


def test_what_was_cut_short_is_not_cached(client: ApiClient, watch: Watch) -> None:
    assert code(client.get(action="parse", page="Slow")) == CODE
    watch.stands = True
    text = client.get(action="parse", page="Slow", disablelimitreport=True)["parse"]["text"]
    assert "begin abc end" in text
    assert watch.done == ["a", "b", "a", "b", "c"]


def test_what_is_cached_is_given_in_time(client: ApiClient, watch: Watch) -> None:
    watch.stands = True
    whole = client.get(action="parse", page="Slow")
    watch.stands = False
    assert client.get(action="parse", page="Slow")["parse"]["text"] == whole["parse"]["text"]


def test_a_module_is_stopped_while_it_fills_the_result(client: ApiClient, watch: Watch) -> None:
    assert code(client.get(action="query", list="slow")) == CODE
    assert watch.done == list("0123456")


def test_no_module_begins_after_the_time(client: ApiClient, watch: Watch) -> None:
    answer = client.get(action="query", titles="Slow", prop="extracts", list="slow")
    assert code(answer) == CODE
    assert "0" not in watch.done


def test_lua_cannot_catch_it(client: ApiClient, watch: Watch) -> None:
    pytest.importorskip("lupa")
    lua: dict[str, Any] = {"action": "parse", "title": "X", "text": "{{#invoke:M|f}}"}
    assert code(client.get(lua)) == CODE
    assert watch.done == ["1", "2"]
    watch.stands = True
    assert "survived" in client.get(lua)["parse"]["text"], "the next page has a worker again"


def test_texts_are_not_compared_after_the_time(client: ApiClient) -> None:
    first = {"fromslots": "main", "fromtext-main": "{{subst:#work:61|a}}", "frompst": "1"}
    second = {"toslots": "main", "totext-main": "b"}
    assert code(client.get({**first, **second}, action="compare")) == CODE


def test_each_request_has_its_own_time(client: ApiClient) -> None:
    for _ in range(3):
        assert "parse" in client.get(action="parse", title="X", text="{{#work:50|a}}")


def test_zero_is_for_ever(watch: Watch) -> None:
    site = slow_site(PAGES, watch, config={"http": {"request_deadline": 0}})
    answer = ApiClient(make_app(site)).get(action="parse", page="Slow")
    site.db.close()
    assert "begin abc end" in answer["parse"]["text"]


def test_work_outside_requests_is_not_limited(site: Site) -> None:
    page = site.titles.parse("Slow")
    assert "abc" in site.parser.parse("{{Step|a}}{{Step|b}}{{Step|c}}", page).html
