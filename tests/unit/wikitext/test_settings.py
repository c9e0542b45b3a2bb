"""Texts on wikis with settings that change how wikitext is rendered.

The cases agree with what MediaWiki answers under the settings of the same meaning.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput

CASES: list[Mapping[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "fixtures/wikitext/settings.json").read_text("utf-8")
)
PAGES = {
    "Alpha": "x",
    "Help:Editing": "help",
    "Redirect": "#REDIRECT [[Alpha#ä (x)]]",
}
INTERWIKI = {"fr": "https://fr.example.org/wiki/$1"}


def rendered(site: Site, text: str, **options: Any) -> ParserOutput:
    plain = ParserOptions(limit_report=False, edit_sections=False, **options)
    return site.parser.parse(text, site.titles.parse("Test page"), plain)


def facts(output: ParserOutput) -> dict[str, Any]:
    body = output.html.partition(">")[2].removesuffix("</div>")
    return {
        "html": body,
        "anchors": [[section.anchor, section.link_anchor] for section in output.sections],
        "title": output.title_html,
        "languages": [link.title for link in output.language_links.values()],
        "categories": list(output.categories),
        "shows_toc": output.show_toc,
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_text(make_site: Callable[..., Site], case: Mapping[str, Any]) -> None:
    site = make_site(PAGES, interwiki=INTERWIKI, config=case["config"])
    values = facts(rendered(site, case["text"]))
    assert {name: values[name] for name in case["expected"]} == case["expected"]


def test_parsoids_html_has_a_spelling_of_its_own(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"wikitext": {"fragment_mode": ["legacy"]}})
    html = rendered(site, "== ä ==\n[[#ä]]", parsoid=True).html
    assert 'id="ä"' in html
    assert '#ä"' in html
