from __future__ import annotations

import pytest

from wikiapi.search import parse_query
from wikiapi.site import Site
from wikiapi.store.queries.search import Term

pytestmark = pytest.mark.wiki()


@pytest.mark.parametrize(
    ("text", "required", "excluded"),
    [
        ("One two", [Term("one"), Term("two")], []),
        ('"a  phrase" b', [Term("a  phrase"), Term("b")], []),
        ("lor* -ipsum", [Term("lor", prefix=True)], [Term("ipsum")]),
        ("a+b&c (d)", [Term("a"), Term("b"), Term("c"), Term("d")], []),
        ("unclosed \"phrase", [Term("unclosed"), Term("phrase")], []),
        ("intitle:x", [Term("intitle"), Term("x")], []),
        ("", [], []),
        ("%%%", [], []),
        ("ÄÖ ß", [Term("äö"), Term("ß")], []),
    ],
)  # fmt: skip
def test_terms(text: str, required: list[Term], excluded: list[Term], site: Site) -> None:
    query = parse_query(site, text, (0,))
    assert list(query.required) == required
    assert list(query.excluded) == excluded


@pytest.mark.parametrize(
    ("text", "namespaces", "first"),
    [
        ("x", (0, 4), "x"),
        ("Talk:x", (1,), "x"),
        ("user talk:x y", (3,), "x"),
        ("Nowhere:x", (0, 4), "nowhere"),
        ("Talk:", (1,), "talk"),
        (":x", (0, 4), "x"),
    ],
)
def test_namespaces(text: str, namespaces: tuple[int, ...], first: str, site: Site) -> None:
    query = parse_query(site, text, (0, 4))
    assert query.namespaces == namespaces
    assert query.required[0].text == first


def test_everywhere(site: Site) -> None:
    query = parse_query(site, "all:x", (0,))
    assert set(query.namespaces) >= {0, 1, 14, 15}
    assert min(query.namespaces) == 0


def test_a_long_query_is_cut(site: Site) -> None:
    words = " ".join(f"w{number}" for number in range(10_000))
    assert len(parse_query(site, words, (0,)).required) == 64


def test_terms_are_not_patterns(site: Site) -> None:
    highlight = parse_query(site, "a.b", (0,)).highlight
    assert highlight is not None
    assert highlight.search("a.b")
    assert not highlight.search("axb")
