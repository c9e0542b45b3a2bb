"""``<math>`` and ``<chem>``: MathML, its errors, and what is there without the library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi_plugins.extensions import math
from wikiapi_plugins.extensions.math import MAX_CHARACTERS, MAX_DEPTH, depth

pytest.importorskip("math_core")

OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
ON: dict[str, Any] = {"extensions": {"math": {}}}
GOLDEN = json.loads((Path(__file__).parent / "formulas.json").read_text(encoding="utf-8"))


pytestmark = pytest.mark.wiki({"Page": "text"}, config=ON, writable=False)


def parse(site: Site, text: str) -> ParserOutput:
    return site.parser.parse(text, site.titles.parse("Page"), OPTIONS)


@pytest.mark.parametrize("name", GOLDEN)
def test_formula(site: Site, name: str) -> None:
    wikitext, html = GOLDEN[name]
    assert parse(site, wikitext).html == html


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("<math></math>", "it is empty"),
        (r"<math>\nope</math>", r'Unknown command "\nope"'),
        (r"<math>\frac{a</math>", "closing token"),
        (r"<math>x} {y</math>", "Unmatched closing token"),
        (r"<math>a^b^c</math>", "Duplicate"),
        (r"<math>\def\a{x}\a</math>", "cannot define commands"),
        (r"<math>\renewcommand{\a}{x}</math>", "cannot define commands"),
        ("<chem>H2O &amp; more!</chem>", "is not a chemical formula"),
        (f"<math>{'x' * MAX_CHARACTERS}</math>", "too long"),
    ],
)
def test_error(site: Site, formula: str, reason: str) -> None:
    output = parse(site, formula)
    assert '<strong class="error texerror">' in output.html
    assert reason in output.html.replace("&quot;", '"')
    assert "Pages_with_math_errors" in output.categories


@pytest.mark.parametrize(
    "opening",
    [
        "{", r"\frac{", "^{x", "_", "^", r"\sqrt", r"\sqrt[", r"\hat ", r"\left(",
        r"\begin{matrix}", r"\text{", r"\left(\right]", r"{\right", r"\sqrt{\end{matrix}",
    ],
)  # fmt: skip
def test_nesting_does_not_end_the_server(site: Site, opening: str) -> None:
    for count in (MAX_DEPTH - 1, 2000, 9000 // len(opening)):
        html = parse(site, f"<math>{opening * count}x{'}' * count}</math>").html
        assert "<math" in html or "texerror" in html
    assert "<math" in parse(site, "<math>x</math>").html


def test_depth() -> None:
    assert depth("a+b") == 0
    assert depth(r"\frac{a}{b}+\frac{c}{d}") == 2
    assert depth("{{x}}") == 2
    assert depth(r"\hat\hat x") == 2


@pytest.mark.parametrize(
    "formula",
    [
        r'<math id="a&quot; onclick=x" class="x" onclick="y" style="z">x</math>',
        r"<math>\text{<script>alert(1)</script>}</math>",
        r"<math>\href{javascript:alert(1)}{x}</math>",
        r"<math>\nope<script></math>",
        r"<math qid='Q1\" onclick=\"x'>x</math>",
        r"<chem>H<script>2</chem>",
    ],
)
def test_no_markup_passes(site: Site, formula: str) -> None:
    html = parse(site, formula).html
    assert "<script" not in html
    assert 'onclick="' not in html
    assert "href=" not in html


def test_without_the_library(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math, "_converter", lambda: None)
    assert not math.is_available()
    assert parse(site, "<math>a<b</math>").html == (
        '<p><span class="mwe-math-fallback-source-inline tex" dir="ltr">$ a&lt;b $</span>\n</p>'
    )
    block = parse(site, "<math display=block>a</math>").html
    assert '<div class="mwe-math-fallback-source-display tex" dir="ltr">$ a $</div>' in block


def test_style_sheet_comes_with_it(site: Site) -> None:
    assert list(parse(site, "<math>x</math>").module_styles) == ["ext.math.styles"]


def test_off_unless_the_configuration_has_it(make_site: Callable[..., Site]) -> None:
    site = make_site({"Page": "x"}, config={"plugins": {"disabled": ["placeholders"]}})
    assert "&lt;math&gt;" in parse(site, "<math>x</math>").html
    answer = ask(
        site, {"action": "query", "meta": "siteinfo", "siprop": "extensions|extensiontags"}
    )
    query = answer.data["query"]
    assert "Math" not in {entry["name"] for entry in query["extensions"]}
    assert "<math>" not in query["extensiontags"]
