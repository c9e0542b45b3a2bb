"""``<ref details="...">``, where the wiki allows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases import golden
from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions

OPTIONS = ParserOptions(limit_report=False, wrapper_class="")


pytestmark = pytest.mark.wiki(
    {"MediaWiki:Cite link label group-roman": "i ii"},
    config={"extensions": {"cite": {"sub_references": True}}},
)


@pytest.mark.parametrize(("text", "html"), golden(Path(__file__).parent / "details"))
def test_html(site: Site, text: str, html: str) -> None:
    assert site.parser.parse(text, site.titles.parse("Golden"), OPTIONS).html == html


@pytest.mark.parametrize(("text", "html"), golden(Path(__file__).parent / "details"))
def test_ids_are_unique_and_linked(text: str, html: str) -> None:
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r' href="#(cite_[^"]*)"', html)) <= set(ids)
