from __future__ import annotations

import importlib.util

import pytest

from tests.plugins.rendering import categories_of, html_of, words_of
from wikiapi.site import Site
from wikiapi_plugins.wikitext import patterns

FIVE = "{{#arraydefine:a|b, a ,,c,a}}"
needs_patterns = pytest.mark.skipif(
    importlib.util.find_spec("re2") is None, reason="google-re2 is not installed"
)


pytestmark = pytest.mark.wiki(
    {"Template:Row": "[{{{1}}}/{{{2|}}}]", "Template:Two": "{{{1}}}!", "Template:Close": "}}"},
    writable=False,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#arrayprint:a}}", "b, a, , c, a"),
        ("{{#arraysize:a}}{{#arraysize:none}}", "5"),
        ("{{#arrayindex:a|0}}{{#arrayindex:a|-1}}{{#arrayindex:a|-5}}", "bab"),
        ("{{#arrayindex:a|5|x}}{{#arrayindex:a|2|y}}{{#arrayindex:a|b|z}}", "xyz"),
        ("{{#arrayindex:none|0}}{{#arrayindex:a|}}", ""),
        ("{{#arraysearch:a|a}}{{#arraysearch:a|a|2}}{{#arraysearch:a|a|-1}}", "144"),
        ("{{#arraysearch:a|x||y|n}}{{#arraysearch:a|c||y|n}}{{#arraysearch:a|}}", "ny2"),
        ("{{#arraysearcharray:r|a|a}}{{#arraysize:r}}", "2"),
        ("{{#arraysearcharray:r|a|a|0|1}}{{#arraysize:r}}", "1"),
        ("{{#arraysearcharray:r|a|a|0|-1|x}}{{#arrayprint:r}}", "x, x"),
        ("{{#arrayslice:s|a|1|2}}{{#arrayprint:s|;}}", "a;"),
        ("{{#arrayslice:s|a|-2}}{{#arrayprint:s}}", "c, a"),
        ("{{#arrayslice:s|a|0|-4}}{{#arrayprint:s}}", "b"),
        ("{{#arrayslice:s|none}}{{#arraysize:s}}{{#arrayslice:t}}{{#arraysize:t}}", "00"),
        ("{{#arrayunique:a}}{{#arrayprint:a}}", "b, a, c"),
        ("{{#arraysort:a|desc}}{{#arrayprint:a}}", "c, b, a, a,"),
        ("{{#arraysort:a|reverse}}{{#arrayprint:a}}", "a, c, , a, b"),
        ("{{#arraysort:a|sideways}}{{#arrayprint:a}}", "b, a, , c, a"),
        ("{{#arrayreset:b|a}}{{#arraysize:a}}", ""),
        ("{{#arraydefine:b|1}}{{#arrayreset:}}{{#arraysize:a}}{{#arraysize:b}}", ""),
        ("{{#arraymerge:m|a|none|a}}{{#arraysize:m}}", "10"),
        ("{{#arraydefine:b|a,d}}{{#arrayunion:u|a|b}}{{#arrayprint:u}}", "b, a, c, d"),
        ("{{#arraydefine:b|a,d}}{{#arraydiff:u|a|b}}{{#arrayprint:u|;}}", "b;;c"),
        ("{{#arraydefine:b|a,d}}{{#arrayintersect:u|b|a}}{{#arrayprint:u}}", "a"),
        ("{{#arraydiff:u|none}}{{#arraysize:u}}", "0"),
    ],
)  # fmt: skip
def test_functions(site: Site, text: str, expected: str) -> None:
    assert words_of(site, FIVE + text) == expected


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("1,2", "1;2"),
        ("1, 2|;", "1, 2"),
        ("1<>2<> 3|<>", "1;2;3"),
        ("abc|", "a;b;c"),
        ("b,a,,b|,|unique, sort=asc", "a;b"),
        ("10,9,x,1e1|,|sort=asc", "9;10;1e1;x"),
        ("2,1|,|sort=desc|unique", "2;1"),
        ("{{!}},a=b", "|;a=b"),
    ],
)
def test_definitions(site: Site, definition: str, expected: str) -> None:
    assert words_of(site, f"{{{{#arraydefine:a|{definition}}}}}{{{{#arrayprint:a|;}}}}") == expected


@pytest.mark.parametrize(
    ("definition", "size"), [("", "0"), (",", "2"), ("|,|singleempty", "1"), ("x", "1")]
)
def test_sizes(site: Site, definition: str, size: str) -> None:
    assert words_of(site, f"{{{{#arraydefine:a|{definition}}}}}{{{{#arraysize:a}}}}") == size


def test_definitions_that_print(site: Site) -> None:
    assert words_of(site, "{{#arraydefine:a|b,a|,|print=list}}") == "b, a"
    assert words_of(site, "{{#arraydefine:a|c,b,a|,|print=pretty}}") == "c, b and a"
    assert words_of(site, "{{#arraydefine:a|x|,|print=pretty}}") == "x"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| |@|{{Row|@|@}}", "[a/a][b}}/b}}]"),
        ("| |@|{{Row|1=@}}", "[a/][b}}/]"),
        ("|; |@@|{{#len:@@}}={{#ifeq:@@|a|{{Two|@@}}|@@@}}", "1=a!;3=b}}@"),
        ("|, |x|-", "-,-"),
        ("|, |x|<nowiki>x</nowiki>", "a,b}}"),
        ("|, |@|{{{@|(@)}}}", "(a),(b}})"),
        ("|, |@|@|print=pretty", "a and b}}"),
    ],
)
def test_subjects(site: Site, text: str, expected: str) -> None:
    definition = "{{#arraydefine:a|a,b{{Close}}}}"
    assert words_of(site, f"{definition}{{{{#arrayprint:a{text}}}}}") == expected


@needs_patterns
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#arraydefine:a|one two  three|/\\s+/}}{{#arrayprint:a|;}}", "one;two;three"),
        ("{{#arraydefine:a|1-2/3|%[/-]%}}{{#arrayprint:a|;}}", "1;2;3"),
        ("{{#arraydefine:a|aXbxc|/x/i}}{{#arrayprint:a|;}}", "a;b;c"),
        ("{{#arraydefine:a|aXbxc|/ x # comment/xi}}{{#arrayprint:a|;}}", "a;b;c"),
        ("{{#arraydefine:a|b,a1,c22}}{{#arraysearch:a|/\\d/}}", "1"),
        (
            ("{{#arraydefine:a|a1,c22}}"
            "{{#arraysearcharray:r|a|/(\\d)\\d?/|0|-1|<$1>${0}\\1}}{{#arrayprint:r|;}}"),
            "a&lt;1&gt;11;c&lt;2&gt;222",
        ),
        ("{{#arraydefine:a|a/x/ex}}{{#arraysearch:a|/x/e}}{{#arraysearch:a|/(/}}", ""),
        ("{{#arraydefine:a|/(?=x)/,b}}{{#arraysearch:a|/(?=x)/}}", "0"),
    ],
)  # fmt: skip
def test_regular_expressions(site: Site, text: str, expected: str) -> None:
    assert words_of(site, text) == expected


def test_without_a_library_for_patterns(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_library", lambda: None)
    assert "pip install wikiapi-server[patterns]" in html_of(site, "{{#arraydefine:a|b c|/ /}}")
    assert words_of(site, "{{#arraydefine:a|b c|,|print=list}}") == "b c"


def test_shuffled(site: Site) -> None:
    text = "{{#arraydefine:a|1,2,3}}{{#arraysort:a|random}}{{#arraysort:a|asc}}{{#arrayprint:a}}"
    assert words_of(site, text) == "1, 2, 3"


DOUBLED = "{{#arraydefine:a|x,y,z}}" + "{{#arraymerge:a|a|a}}" * 40 + "{{#arraysize:a}}"
LONG = "{{#arraydefine:a|" + "x," * 50_000 + "}}{{#vardefine:v|" + "0" * 100_000 + "}}"
TOO_LARGE = "Pages_where_template_include_size_is_exceeded"


def test_the_elements_of_a_page_are_limited(site: Site) -> None:
    assert int(words_of(site, DOUBLED)) <= 500_000


@pytest.mark.parametrize(
    "text",
    [
        LONG + "{{#arrayprint:a|{{#var:v}}}}",
        LONG + "{{#arraydefine:b|{{#var:v}}}}{{#arrayprint:b||x|" + "x" * 100_000 + "}}",
        pytest.param(
            "{{#arraydefine:b|" + "x" * 9_000 + "}}{{#arraysearcharray:r|b|/x/|0|-1|"
            "{{#vardefineecho:v|" + "0" * 9_000 + "}}}}{{#arrayprint:r}}",
            marks=needs_patterns,
        ),
        pytest.param(
            "{{#arraydefine:b|" + "x" * 9_000 + "}}{{#arraysearcharray:r|b|/x*/|0|-1|"
            "{{#vardefineecho:v|" + "$0" * 9_000 + "}}}}{{#arrayprint:r}}",
            marks=needs_patterns,
        ),
    ],
    ids=["separators", "subjects", "replacements", "groups"],
)
def test_what_is_too_large_for_a_page_is_left_out(site: Site, text: str) -> None:
    assert TOO_LARGE in categories_of(site, text)
