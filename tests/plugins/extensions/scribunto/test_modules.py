"""Modules of a page: a worker receives those that will probably be required in advance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.title.namespaces import MODULE
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi_plugins.extensions.scribunto import modules
from wikiapi_plugins.extensions.scribunto.host import Host, HostResult
from wikiapi_plugins.extensions.scribunto.modules import ModuleHistory, PageModules

REQUIRES = """
local p = {}
function p.f(frame)
    local out = {}
    for name in frame.args[1]:gmatch('%S+') do
        local ok, library = pcall(require, 'Module:' .. name)
        out[#out + 1] = ok and library or '?'
    end
    return table.concat(out)
end
return p
"""
LETTERS = {letter: f"return '{letter}'" for letter in "ABC"}


@pytest.fixture
def site(lua_site: Callable[..., Site]) -> Site:
    return lua_site(M=REQUIRES, **LETTERS)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the calls of host functions that load modules, as function and module."""
    made: list[str] = []
    call = Host.call

    def recording(host: Host, name: str, arguments: list[Any]) -> HostResult:
        if name in ("module", "source"):
            made.append(f"{name} {arguments[0]}")
        return call(host, name, arguments)

    monkeypatch.setattr(Host, "call", recording)
    return made


def text_and_modules(site: Site, names: str) -> tuple[str, list[str]]:
    """Return the text of a page that requires modules, and the modules that count as used."""
    output = site.parser.parse(f"{{{{#invoke:M|f|{names}}}}}", site.titles.parse("Page"))
    text = output.html.partition("<p>")[2].partition("\n")[0]
    return text, [title.text for title in output.templates.values() if title.ns == MODULE]


def test_modules_required_before_are_sent_in_advance(site: Site, calls: list[str]) -> None:
    first = text_and_modules(site, "A B none")
    assert first == ("AB?", ["M", "A", "B", "None"])
    del calls[:]
    assert text_and_modules(site, "A B none") == first
    assert calls == []


def test_modules_that_are_sent_but_not_required_do_not_count_as_used(site: Site) -> None:
    text_and_modules(site, "A B none")
    assert text_and_modules(site, "B C") == ("BC", ["M", "B", "C"])
    assert text_and_modules(site, "") == ("", ["M"])


def test_modules_count_as_used_in_the_order_in_which_they_are_required(site: Site) -> None:
    text_and_modules(site, "A B C")
    assert text_and_modules(site, "C A B") == ("CAB", ["M", "C", "A", "B"])


def test_the_source_of_a_module_is_sent_once(site: Site, calls: list[str]) -> None:
    text_and_modules(site, "A")
    text_and_modules(site, "A")
    assert [each for each in calls if each.startswith("source")] == [
        "source Module:M",
        "source Module:A",
    ]


def test_plugins_that_resolve_templates_are_called_only_for_required_modules(
    lua_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    class Resolving:
        @hookimpl
        def resolve_template(self, title: Any) -> str | None:
            names.append(title.text)
            return "return 'resolved'" if title.text == "A" else None

    site = lua_site(plugins=[Resolving()], M=REQUIRES, **LETTERS)
    monkeypatch.setattr(site.parser, "resolves_templates", True)
    assert text_and_modules(site, "A")[0] == "resolved"
    del names[:]
    assert text_and_modules(site, "B")[0] == "B"
    assert "A" not in names


def template(text: str, revision: int) -> TemplateText:
    return TemplateText(None, 1, revision, text, None)  # type: ignore[arg-type]


def test_digests_depend_on_the_text_alone() -> None:
    history = ModuleHistory()
    digests = [history.digest(template(text, 7)) for text in ("a", "b", "a")]
    assert digests[0] == digests[2] != digests[1]
    assert history.digest(template("a", 8)) == history.digest(template("a", 0)) == digests[0]


def test_least_recently_used_entries_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "_MAX_NAMES_PER_ROOT", 2)
    monkeypatch.setattr(modules, "_MAX_ROOTS", 2)
    history = ModuleHistory()
    for name in ("a", "b", "a", "c"):
        history.record("M", name)
    assert history.required_by("M") == ["a", "c"]
    for root in ("N", "M", "O"):
        history.record(root, "a")
    assert [root for root in "MNO" if history.required_by(root)] == ["M", "O"]


def test_workers_cannot_report_modules_that_were_not_sent(site: Site) -> None:
    parser = site.parser
    state = parser.new_state(site.titles.parse("Page"))
    page = PageModules(state, ModuleHistory())
    claims: list[object] = [["Module:A", 1, None, []], "Module:A", 5, None]
    for claim in claims:
        page.record_used(claim)
    assert not state.output.templates
