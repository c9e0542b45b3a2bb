"""Row 48 of the hostile inputs: no lexer takes long, whatever it is given, nor stops the others."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi.workers.pool import Limits, WorkerPool
from wikiapi_plugins.shared.highlighting import highlighter

ERRORS = "Pages_with_syntax_highlighting_errors"
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
SHORT = 0.3
"""Seconds for a source: enough for what is ordinary, and less than a test has."""
HOSTILE = {
    "autohotkey": "\n",
    "autoit": "\n",
    "cpp": " ",
    "csharp": "a\n",
    "easytrieve": "\t",
    "java": "\n",
    "maple": "'",
    "mcfunction": "1",
    "systemd": " ",
}
"""Lexers that take quadratic time, or exponential, and what they take it for."""


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerPool]:
    task, limits = highlighter.workers.task, highlighter.workers.limits
    pool = WorkerPool(task, limits._replace(seconds=SHORT))
    monkeypatch.setattr(highlighter, "workers", pool)
    yield pool
    pool.close()


def hostile(language: str, size: int = 50_000) -> str:
    run = HOSTILE[language] * (size // len(HOSTILE[language]))
    return f"<syntaxhighlight lang={language}>x{run}x</syntaxhighlight>"


def parsed(site: Site, text: str) -> ParserOutput:
    return site.parser.parse(text, site.titles.parse("Page"), OPTIONS)


@pytest.mark.parametrize("language", HOSTILE)
def test_a_source_that_takes_long_is_shown_plain(
    make_site: Callable[..., Site], pool: WorkerPool, language: str
) -> None:
    output = parsed(make_site(), hostile(language))
    run = HOSTILE[language][:2]
    assert f'<div class="mw-highlight mw-highlight-lang-{language} mw-content-ltr"' in output.html
    assert f"<pre>x{run}" in output.html
    assert "<span" not in output.html
    assert ERRORS in output.categories
    assert output.cache_expiry is None, "it would take as long another time"


def test_one_that_took_long_is_not_tried_again(
    make_site: Callable[..., Site], pool: WorkerPool
) -> None:
    site, text = make_site(), hostile("autoit")
    first = parsed(site, text).html
    assert pool.started == 1
    pool.run(("Lua", "x"), 60)
    assert pool.started == 2, "the first was ended"
    assert parsed(site, text * 3).html.count("<pre>x") == 3 * first.count("<pre>x")
    assert pool.started == 2


def test_the_sources_of_a_page_take_a_bounded_time_together(
    make_site: Callable[..., Site], pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highlighter, "PAGE_SECONDS", 2.5 * SHORT)
    sources = "".join(hostile("autoit", 50_000 + number) for number in range(20))
    after = "<syntaxhighlight lang=lua>return 1</syntaxhighlight>"
    output = parsed(make_site(), sources + after)
    assert output.html.count("<pre>") == 21
    assert "<span" not in output.html
    assert pool.started == 3
    assert output.cache_expiry, "the others get their time soon"


def test_others_are_answered_meanwhile(make_site: Callable[..., Site]) -> None:
    """An expression that is matched within the server would stop all of its threads."""
    site = make_site({"Page": "text"})
    client = ApiClient(make_app(site))
    threads = [
        threading.Thread(target=parsed, args=(site, hostile("autoit", 50_000 + number)))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    answered = 0
    while all(thread.is_alive() for thread in threads):
        assert client.get(action="query", titles="Page")["query"]["pages"][0]["title"] == "Page"
        answered += 1
    for thread in threads:
        thread.join()
    assert answered > 1


@pytest.mark.parametrize("model", ["css", "javascript", "sanitized-css", "Scribunto"])
def test_pages_of_source_are_bounded_as_well(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    pool = WorkerPool(highlighter.workers.task, Limits(0.001, 1 << 27))
    monkeypatch.setattr(highlighter, "workers", pool)
    client = ApiClient(make_app(make_site()))
    answer = client.post(action="parse", contentmodel=model, title="X", text="a { b: c }" * 9000)
    html = answer["parse"]["text"]
    assert '<pre class="mw-code' in html or '<pre lang="en" dir="ltr" class="mw-code' in html
    assert "mw-highlight" not in html
    assert pool.started == 1


def test_without_processes_sources_are_plain_for_now(
    make_site: Callable[..., Site], pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_site()
    text = "<syntaxhighlight lang=lua>return 1</syntaxhighlight>"
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", "/nothing")
        plain = parsed(site, text * 3)
    assert plain.html.count("<pre>return 1</pre>") == 3
    assert plain.cache_expiry == 0
    assert pool.started == 1
    monkeypatch.setattr(pool, "_not_before", 0.0)
    coloured = parsed(site, text)
    assert '<span class="kr">return</span>' in coloured.html
    assert coloured.cache_expiry is None


def test_a_source_that_breaks_its_lexer_is_plain(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = WorkerPool(highlighter.workers.task, highlighter.workers.limits._replace(memory=1 << 20))
    monkeypatch.setattr(highlighter, "workers", pool)
    output = parsed(make_site(), f"<syntaxhighlight lang=js>{'a+' * 50_000}</syntaxhighlight>")
    assert "<pre>a+a+" in output.html
    assert ERRORS in output.categories
    pool.close()
