"""Lua expressions and their values, in a file for each library of ``mw``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from wikiapi.config import NamespaceConfig
from wikiapi.site import Site

pytest.importorskip("lupa")

FOLDER = Path(__file__).parent / "scribunto"
MODULE = "Module:Test"
CASES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
PAGES = {
    "X": "x",
    "Red": "#REDIRECT [[X]]",
    "Categorised": "[[Category:A b]]",
    "MediaWiki:Sitemsg": "of the wiki",
}


def module(expressions: list[str]) -> str:
    """Return a module with a function for each expression."""
    functions = [
        f"p['{number}'] = function(frame) return tostring(({lua})) end"
        for number, lua in enumerate(expressions)
    ]
    return "\n".join(["local p = {}", *functions, "return p"])


@pytest.fixture(scope="module", params=sorted(CASES))
def library(
    request: pytest.FixtureRequest, make_module_site: Callable[..., Site]
) -> tuple[Site, list[dict[str, str]]]:
    cases = CASES[request.param]
    site = make_module_site(
        {**PAGES, MODULE: module([case["lua"] for case in cases])},
        namespaces=[NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk")],
        interwiki={"de": "https://de.example/wiki/$1"},
    )
    return site, cases


def test_expressions(library: tuple[Site, list[dict[str, str]]]) -> None:
    site, cases = library
    title = site.titles.parse("Here/sub")
    outputs = {
        case["lua"]: site.parser.expand(f"{{{{#invoke:Test|{number}}}}}", title)
        for number, case in enumerate(cases)
    }
    assert outputs == {case["lua"]: case["gives"] for case in cases}
