"""What the worker asks the server, which takes longer than what it knows itself."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from wikiapi_plugins.extensions.scribunto import host, session

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.site import Site

TWICE = "local function of() return {} end return of() .. '/' .. of()"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counted: Counter[str] = Counter()

    def counting(own: Any, operation: str, arguments: list[Any]) -> Any:
        counted[operation] += 1
        return host.answer(own, operation, arguments)

    monkeypatch.setattr(session, "answer", counting)
    return counted


@pytest.mark.parametrize(
    ("expression", "shown", "operation"),
    [
        ("mw.message.new('comma-separator'):plain()", ",&#32;", "message.plain"),
        (
            "mw.language.new('en'):formatDate('j F Y', '2001-02-03')",
            "3 February 2001",
            "language.formatDate",
        ),
    ],
)
def test_what_is_known_is_not_asked_again(
    run: Callable[..., str], asked: Counter[str], expression: str, shown: str, operation: str
) -> None:
    assert run(TWICE.format(expression)) == f"{shown}/{shown}"
    assert asked[operation] == 1


def test_answers_belong_to_their_questions(run: Callable[..., str]) -> None:
    told = run(
        "local en = mw.language.new('en') "
        "local function at(...) return en:formatDate(...) end "
        "return at('Y', '2001-02-03') .. at('Y', '2002-02-03') .. at('j', '2001-02-03')"
    )
    assert told == "200120023"


def test_an_error_is_raised_each_time(run: Callable[..., str]) -> None:
    told = run(
        "local function try() "
        "return mw.language.new('en'):formatDate('Y', 'no moment') end "
        "local first, problem = pcall(try) local second, again = pcall(try) "
        "return tostring(first or second) .. tostring(problem == again)"
    )
    assert told == "falsetrue"


@pytest.mark.parametrize("function", ["unstripNoWiki", "unstrip"])
def test_a_text_without_markers_is_not_sent(
    lua_site: Callable[..., Site], asked: Counter[str], function: str
) -> None:
    body = f"return mw.text.{function}('[x]') .. mw.text.{function}(frame.args[1])"
    site = lua_site(M=f"local p = {{}}\nfunction p.f(frame) {body} end\nreturn p")
    text = "{{#invoke:M|f|<nowiki><b></nowiki>}}"
    html = site.parser.parse(text, site.titles.parse("Page")).html
    assert "<p>[x]&lt;b&gt;\n</p>" in html
    assert asked[function] == 1
