"""``action=scribunto-console``: questions with access to a module, and limits of consoles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.extensions.scribunto.consoles import MAX_SIZE, Console, Consoles

COUNTER = "local p = { n = 1 } function p.add(x) p.n = p.n + x return p.n end return p"


@pytest.fixture
def site(lua_site: Callable[..., Site]) -> Site:
    return lua_site({"Page": "x"}, Other="return { value = 'stored' }")


def evaluate(site: Site, question: str, **params: Any) -> dict[str, Any]:
    request = {"action": "scribunto-console", "title": "Module:M", "question": question}
    answer = ask(site, request | {name: str(value) for name, value in params.items()})
    assert not answer.codes
    return answer.data


@pytest.mark.parametrize(
    ("question", "returned", "printed"),
    [
        ("=1 + 1", "2", ""),
        ("=1 + 1 -- two", "2", ""),
        ("=nil", "nil", ""),
        ("='a', 'b'", "a", ""),
        ("={}", "table", ""),
        ("=p.add(2)", "3", ""),
        ("=_VERSION", "Lua 5.1", ""),
        ("=require('Module:Other').value", "stored", ""),
        ("=mw.title.getCurrentTitle().prefixedText", "Module:M", ""),
        ("=mw.getCurrentFrame():preprocess('{{uc:a}}')", "A", ""),
        ("print('a', 1)", "", "a\t1\n"),
        ("mw.log('a') mw.logObject({1})", "", "a\ntable#1 {\n  1,\n}\n"),
        ("print('a') return 'b'", "b", "a\n"),
        ("local x = 1", "", ""),
    ],
)
def test_question(site: Site, question: str, returned: str, printed: str) -> None:
    data = evaluate(site, question, content=COUNTER)
    assert (data["type"], data["return"], data["print"]) == ("normal", returned, printed)


def test_console_remembers_module_variables_and_calls(site: Site) -> None:
    first = evaluate(site, "local x = p.add(10) print(x)", content=COUNTER)
    number = first["session"]
    assert first["print"] == "11\n"
    assert first["sessionIsNew"] is True
    second = evaluate(site, "=p.add(x)", session=number)
    assert (second["session"], second["return"], second["print"]) == (number, "22", "")
    assert "sessionIsNew" not in second
    assert first["sessionSize"] < second["sessionSize"] < second["sessionMaxSize"] == MAX_SIZE
    assert evaluate(site, "=p.n", session=number)["return"] == "22"


def test_clear_drops_questions_and_keeps_the_module(site: Site) -> None:
    number = evaluate(site, "x = 1", content=COUNTER)["session"]
    cleared = evaluate(site, "=tostring(x) .. p.n", session=number, clear=1)
    assert (cleared["session"], cleared["return"]) == (number, "nil1")


def test_the_source_of_the_module_can_be_replaced(site: Site) -> None:
    number = evaluate(site, "=p.n", content=COUNTER)["session"]
    assert evaluate(site, "=p", session=number, content="return 'new'")["return"] == "new"


def test_an_unknown_session_creates_a_console(site: Site) -> None:
    data = evaluate(site, "=1", session=77)
    assert data["sessionIsNew"] is True
    assert data["session"] != 77


@pytest.mark.parametrize(
    ("content", "question", "key", "text"),
    [
        ("return {}", "=p.f()", "scribunto-lua-error-location", "attempt to call field 'f'"),
        ("return {}", "=(", "scribunto-lua-error-location", "unexpected symbol"),
        ("return (", "=1", "scribunto-lua-error-location", "in Module:M at line 1"),
        ("error({})", "=1", "scribunto-lua-error", "table"),
        ("return {}", "while true do end", "scribunto-common-timeout", "used up their time"),
        ("return {}", "local x = 'x' while 1 do x = x .. x end", "scribunto-lua-error", "memory"),
    ],
)
def test_errors(site: Site, content: str, question: str, key: str, text: str) -> None:
    data = evaluate(site, question, content=content)
    assert (data["type"], data["messagename"]) == ("error", key)
    assert text in data["message"]
    assert data["html"].startswith("<p>")
    # The console still works: the failed question was not stored.
    again = evaluate(site, "=2", session=data["session"], content="return {}")
    assert (again["return"], again["session"]) == ("2", data["session"])


@pytest.mark.parametrize("title", ["", "a[b", "|"])
def test_bad_title(site: Site, title: str) -> None:
    answer = ask(site, {"action": "scribunto-console", "title": title, "question": "=1"})
    assert "invalidtitle" in answer.codes


def test_the_size_of_a_console_is_limited(site: Site) -> None:
    data = evaluate(site, "x = '" + "a" * (MAX_SIZE // 2) + "'")
    refused = evaluate(site, "x = '" + "a" * (MAX_SIZE // 2) + "'", session=data["session"])
    assert refused["messagename"] == "scribunto-console-too-large"
    cleared = evaluate(site, "=tostring(x)", session=data["session"], clear=1)
    assert (cleared["return"], cleared["sessionSize"]) == ("nil", 12)


def test_consoles_expire() -> None:
    now = 0.0
    consoles = Consoles(lambda: now)
    consoles.store(Console(1))
    now = 3599.0
    consoles.store(Console(2))
    assert consoles.get(1) is not None
    now = 3601.0
    assert consoles.get(1) is None
    assert consoles.get(2) is not None


def test_the_total_size_of_consoles_is_limited() -> None:
    consoles = Consoles()
    for number in range(1, 61):
        consoles.store(Console(number, "x" * MAX_SIZE))
    assert consoles.get(1) is None
    assert consoles.get(60) is not None


def test_ids_are_random() -> None:
    consoles = Consoles()
    assert len({consoles.new().id for _ in range(100)}) > 95
