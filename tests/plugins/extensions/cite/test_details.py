"""``<ref details="...">``, where the wiki allows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions

CASES = Path(__file__).parent / "details" / "details.json"
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")


def make() -> Site:
    pages = {"MediaWiki:Cite link label group-roman": "i ii"}
    return make_site(pages, config={"extensions": {"cite": {"sub_references": True}}})


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = make()
    yield made
    made.db.close()


def golden() -> list[tuple[str, str]]:
    cases = json.loads(CASES.read_text(encoding="utf-8")).values() if CASES.exists() else ()
    return [("\n".join(text), "\n".join(html)) for text, html in cases]


@pytest.mark.parametrize(("text", "html"), golden())
def test_html(site: Site, text: str, html: str) -> None:
    assert site.parser.parse(text, site.titles.parse("Golden"), OPTIONS).html == html


@pytest.mark.parametrize(("text", "html"), golden())
def test_ids_are_unique_and_linked(text: str, html: str) -> None:
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r' href="#(cite_[^"]*)"', html)) <= set(ids)
