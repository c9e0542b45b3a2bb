from __future__ import annotations

import pytest

from wikiapi.wikitext.options import ParserOptions


@pytest.fixture
def parse(site):
    def run(text, title="Test", **options):
        return site.parser.parse(text, site.titles.parse(title), ParserOptions(**options))

    return run


@pytest.fixture
def expand(site):
    return lambda text, title="Test": site.parser.expand(text, site.titles.parse(title))
