from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput

PAGES = {"Page": "the page", "Template:Greet": "hello, {{{1}}}!"}
Opener = Callable[[str], Site]


@pytest.fixture(scope="module")
def site_of() -> Iterator[Opener]:
    sites: dict[str, Site] = {}

    def opened(language: str) -> Site:
        if language not in sites:
            sites[language] = make_site(PAGES, config={"site": {"language": language}})
        return sites[language]

    yield opened
    for site in sites.values():
        site.db.close()


def rendered(site: Site, text: str, variant: str = "", title: str = "Golden") -> ParserOutput:
    options = ParserOptions(variant=variant, limit_report=False, wrapper_class="")
    return site.parser.parse(text, site.titles.parse(title), options)


@pytest.mark.parametrize("case", cases("wikitext/variants.json"))
def test_text(site_of: Opener, case: list[str]) -> None:
    language, variant, text, html = case
    assert rendered(site_of(language), text, variant).html == html
