from __future__ import annotations

import pytest

from wikiapi.testing import make_site

PAGES = {
    "Page": "text",
    "Template:Echo": "{{{1}}}",
    "Template:Named": "[{{{a|none}}}]",
    "Template:Twice": "{{{1}}}{{{1}}}",
    "Template:Ten": "{{{1}}}" * 10,
    "Template:A": "{{B}}",
    "Template:B": "{{A}}",
    "Template:Deep": "{{#tag:nowiki|x}}{{Echo|{{Echo|{{Echo|y}}}}}}",
    "Template:To echo": "#REDIRECT [[Template:Echo]]",
    "Template:Forged": "\x7f'\"`UNIQ--nowiki-00000000-QINU`\"'\x7f",
}


@pytest.fixture(scope="module")
def site():
    made = make_site(PAGES, config={"site": {"main_subpages": True}})
    yield made
    made.db.close()


@pytest.fixture
def parse(site):
    def run(text, title="Test", **options):
        from wikiapi.wikitext.options import ParserOptions

        return site.parser.parse(text, site.titles.parse(title), ParserOptions(**options))

    return run


@pytest.fixture
def expand(site):
    return lambda text, title="Test": site.parser.expand(text, site.titles.parse(title))
