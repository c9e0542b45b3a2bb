from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput

PAGES = {"Page": "the page", "Template:Greet": "hello, {{{1}}}!"}
Opener = Callable[[str], Site]


@pytest.fixture(scope="module")
def site_of(make_module_site: Callable[..., Site]) -> Opener:
    return cache(lambda code: make_module_site(PAGES, config={"site": {"language": code}}))


def rendered(site: Site, text: str, variant: str = "", title: str = "Golden") -> ParserOutput:
    options = ParserOptions(variant=variant, limit_report=False, wrapper_class="")
    return site.parser.parse(text, site.titles.parse(title), options)


@pytest.mark.parametrize("case", cases("wikitext/variants.json"))
def test_text(site_of: Opener, case: list[str]) -> None:
    language, variant, text, html = case
    assert rendered(site_of(language), text, variant).html == html
