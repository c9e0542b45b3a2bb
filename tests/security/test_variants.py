"""What pages say about variants of their language costs time in proportion to its length."""

from __future__ import annotations

import pytest

from tests.security.growth import Stopwatch
from wikiapi.errors import BudgetExceeded
from wikiapi.languages.variants import LONGEST_KEY
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions

PATIENCE = 20.0
LARGEST = 30_000
OPTIONS = ParserOptions(limit_report=False, variant="sr-el")
KEY = "а" * (LONGEST_KEY - 1)

HOSTILE = {
    "rules that do not end": lambda size: "-{" * size,
    "rules that do not begin": lambda size: "}-" * size,
    "nested rules": lambda size: "-{" * size + "}-" * size,
    "nested rules of variants": lambda size: "-{sr-el:" * size + "}-" * size,
    "many rules": lambda size: "-{H|sr-ec:аб;sr-el:аб}-" * size,
    "many different rules": lambda size: "".join(f"-{{H|а{n}=>sr-el:б;}}-а" for n in range(size)),
    "rules about everything": lambda size: "-{A|" + "а" * size + "}-" + "а" * size,
    "semicolons": lambda size: "-{sr-el:a" + ";" * size + "}-",
    "semicolons and spaces": lambda size: "-{sr-el:a" + "; " * size + "}-",
    "spaces behind a semicolon": lambda size: "-{sr-el:a;" + " " * size + "b}-",
    "arrows": lambda size: "-{" + "=>" * size + "}-",
    "many texts": lambda size: "-{H|" + "а=>sr-el:б;" * size + "}-",
    "flags": lambda size: "-{" + "A;" * size + "|a}-",
    "pipes": lambda size: "-{" + "|" * size + "}-",
    "references": lambda size: "-{" + "&a" * size + "}-",
    "elements that do not end": lambda size: "<code>а" * size,
    "source code": lambda size: "<code>а</code>" * size,
    "tags in rules": lambda size: "-{sr-el:<b>" * size,
    "tips": lambda size: '<span title="-{а">б</span>' * size,
    "a long tip": lambda size: '<span title="' + "-{" * size + '">б</span>',
    "texts that nearly fit": lambda size: f"-{{H|{KEY}б=>sr-el:в}}-" + "а" * size,
    "Roman numerals": lambda size: "MDCLXVI" * size,
    "headings": lambda size: "== -{а ==\n" * size,
    "red links": lambda size: "".join(f"[[Њ{n}]] " for n in range(size // 4)),
    "missing templates": lambda size: "".join(f"{{{{Њ{n}}}}} " for n in range(size // 16)),
}


pytestmark = pytest.mark.wiki(
    {"Page": "x"},
    config={
        "site": {"language": "sr"},
        "limits": {"template_cache_bytes": 0},
        "plugins": {"disabled": ["scribunto"]},
    },
)


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_text(site: Site, name: str) -> None:
    title = site.titles.parse("Page")
    with Stopwatch(PATIENCE) as watch:
        run = lambda text: site.parser.parse(text, title, OPTIONS)  # noqa: E731
        assert watch.growth(run, HOSTILE[name], 2000, LARGEST) == []


def test_rules_count_against_the_memory_of_a_request() -> None:
    config = {"site": {"language": "sr"}, "limits": {"request_bytes": 1_000_000}}
    site = make_site({}, config=config)
    rules = "".join(f"-{{H|а{number}=>sr-el:б;}}-" for number in range(5000))
    try:
        with site.answering(), pytest.raises(BudgetExceeded):
            site.parser.parse(rules, site.titles.parse("Page"), OPTIONS)
    finally:
        site.db.close()
