"""What expansion withstands: work grows with the text, and no faster."""

from __future__ import annotations

import pytest

from tests.unit.wikitext.work import work
from wikiapi.testing import make_site

SIZE = 300
GROWTH = 2.3
"""How much more work a text twice as long may be."""
HOSTILE = {
    "open arguments": lambda n: "{{{" * n,
    "arguments": lambda n: "{{{" * n + "}}}" * n,
    "open templates": lambda n: "{{a|" * n,
    "templates": lambda n: "{{a|" * n + "}}" * n,
    "open names": lambda n: "{{a|b=" * n,
    "equals": lambda n: "{{a|" + "b=" * n,
    "links": lambda n: "[[" * n,
    "converters": lambda n: "-{" * n + "}-" * n,
    "open comments": lambda n: "<!--" * n,
    "comments": lambda n: "<!-- a --> " * n + "x",
    "comments on lines": lambda n: "\n <!-- a --> \n" * n,
    "open tags": lambda n: "<nowiki>" * n,
    "tags without end": lambda n: "<nowiki " * n,
    "two open tags": lambda n: "<nowiki><pre>" * n,
    "headings": lambda n: "== a ==\n" * n,
    "functions": lambda n: "{{lc:" * n + "}}" * n,
    "conditions": lambda n: "{{#if:1|" * n + "}}" * n,
    "cases": lambda n: "{{#switch:x" + "|a=b" * n + "}}",
    "brackets": lambda n: "{{#expr:" + "(" * n + "1" + ")" * n + "}}",
    "signs": lambda n: "{{#expr:" + "-" * n + "1}}",
    "sum": lambda n: "{{#expr:" + "1+" * n + "1}}",
    "arguments of a call": lambda n: "{{Echo" + "|x" * n + "}}",
    "parts of an anchor": lambda n: "{{anchorencode:" + "[[a|" * n + "}}",
    "errors": lambda n: "{{#iferror:" + "<p class=" * n + "|a}}",
    "substitutions": lambda n: "{{subst:x|" * n,
    "signatures": lambda n: "~~~~ " * n,
    "pipe tricks": lambda n: "[[a (b), c|]]" * n,
    "contexts": lambda n: "[[" + "(a), " * n + "|]]",
}


pytestmark = [
    pytest.mark.slow,
    pytest.mark.wiki(
        {"Template:Echo": "{{{1}}}", "Template:A": "a"},
        config={"limits": {"template_cache_bytes": 0}},
    ),
]


@pytest.mark.parametrize("kind", ["expand", "saved"])
@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_with_the_text(site, name, kind):
    title = site.titles.parse("Test")

    def run(text):
        if kind == "saved":
            return site.parser.saved(text, title, "192.0.2.7")
        return site.parser.expand(text, title)

    make = HOSTILE[name]
    run(make(SIZE))
    once, twice = work(run, make(SIZE)), work(run, make(2 * SIZE))
    assert twice <= GROWTH * once


def test_templates_that_include_ten_of_ten_stop_at_the_ceiling():
    pages = {f"Template:L{level}": f"{{{{L{level + 1}}}}}" * 10 for level in range(10)}
    site = make_site(pages | {"Template:L10": "x" * 1000})
    output = site.parser.parse("{{L0}}", site.titles.parse("A"))
    assert output.usage.included_size <= 2_097_152
    assert "Pages_where_template_include_size_is_exceeded" in output.categories
    assert len(output.html) < 10_000_000
    site.db.close()


def test_arguments_that_double_stop_at_the_ceiling():
    site = make_site({"Template:D": "{{{1}}}{{{1}}}"})
    text = "x" * 1000
    for _ in range(20):
        text = f"{{{{D|{text}}}}}"
    output = site.parser.parse(text, site.titles.parse("A"))
    assert output.usage.argument_size <= 2_097_152
    assert output.usage.included_size <= 2_097_152
    site.db.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#expr:9^9^9^9^9}}", "INF"),
        ("{{#expr:1e308*1e308 - 1e308*1e308}}", "NAN"),
        ("{{#expr:1 round 999999999}}", "1"),
        ("{{#expr:1e300 mod 7}}", "0"),
        ("{{formatnum:1e400}}", "\u221e"),
        ("{{padleft:x|99999999999999999999}}", "0" * 499 + "x"),
        ("{{padleft:x|500|ab}}", "ab" * 249 + "a" + "x"),
        ("{{#sub:abc|99999999999|1}}", ""),
        ("{{#titleparts:a/b|-99999999999}}", ""),
        ("{{ns:99999999999999999999}}", ""),
        ("{{#ifeq:1e999|2e999|same|other}}", "same"),
        ("{{plural:1e999|one|many}}", "many"),
        ("{{#expr:\u0661+1}}", None),
    ],
)
def test_numbers_cost_no_more_than_their_digits(site, text, expected):
    expanded = site.parser.expand(text, site.titles.parse("Test"))
    assert expanded == expected if expected is not None else "error" in expanded


def test_a_long_number_is_read_at_once(site):
    text = "{{#expr:" + "9" * 100_000 + "}} {{formatnum:" + "9" * 100_000 + "}}"
    assert site.parser.expand(text, site.titles.parse("Test")) == "INF \u221e"


@pytest.mark.parametrize("letter", ["\u2028", "\u00df", "\u0130", "\u01c5", "\U0001f37a", "\ud800"])
@pytest.mark.parametrize("word", ["lc", "uc", "ucfirst", "lcfirst", "urlencode", "anchorencode"])
def test_odd_letters_pass_through_words(site, word, letter):
    expanded = site.parser.expand(f"{{{{{word}:a{letter}b}}}}", site.titles.parse("Test"))
    assert expanded
    assert "{{" not in expanded
