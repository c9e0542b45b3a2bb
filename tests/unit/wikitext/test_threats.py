"""What rendering withstands: work grows with the text, and no faster.

Counted are calls of functions, so loops within regular expressions are not seen here: those are
what ``python -m bench hostile`` times, over the same texts.
"""

from __future__ import annotations

import pytest

from bench.hostile_texts import TEXTS
from tests.unit.wikitext.work import work
from wikiapi.wikitext.options import ParserOptions

SIZE = 400
"""So that nested tables are deeper than allowed in either of the texts that are compared."""
GROWTH = 2.3
"""How much more work a text twice as long may be."""
OPTIONS = ParserOptions(limit_report=False)


pytestmark = [pytest.mark.slow, pytest.mark.wiki(config={"limits": {"template_cache_bytes": 0}})]


@pytest.mark.parametrize("name", TEXTS)
def test_work_grows_with_the_text(site, name):
    title = site.titles.parse("Test")

    def run(text):
        return site.parser.parse(text, title, OPTIONS)

    short, long = TEXTS[name](SIZE), TEXTS[name](2 * SIZE)
    # What is remembered of one must not be new in the other.
    run(long)
    run(short)
    once, twice = work(run, short), work(run, long)
    assert twice <= GROWTH * once


@pytest.mark.parametrize("name", TEXTS)
def test_html_grows_with_the_text(site, name):
    title = site.titles.parse("Test")
    short, long = (
        len(site.parser.parse(TEXTS[name](size), title, OPTIONS).html) for size in (SIZE, 2 * SIZE)
    )
    assert long <= GROWTH * short + 1000
