from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.rendering import categories_of, html_of, parsed, words_of
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.extensions.labeledsectiontransclusion import (
    Page,
    without_noinclude,
)

MISSING = "Pages_transcluding_nonexistent_sections"
PAGES = {
    "Unpaired": "a<includeonly> x</includeonly> b</noinclude>",
    "Parts": (
        "top <section begin=a />A {{PAGENAME}}<section end=a /> mid"
        "<section begin=\"b c\"/>B<section end='b c'/><section BEGIN=a/>again<section end=a/> end"
        "<noinclude>hidden</noinclude>"
    ),
    "Nested": "<section begin=o/>x<section begin=i/>y<section end=i/>z<section end=o/>-",
    "Open": "<section begin=a/>to the end",
    "Moved": "#REDIRECT [[Parts]]",
    "Lost": "#REDIRECT [[Nowhere]]",
    "Heads": "intro\n== One ==\n1\n=== Sub ===\ns\n==two==\n2\n= Last =\nl",
    "Self": "<section begin=a/>({{#lst:Self|a}})<section end=a/>",
    "Mutual1": "<section begin=a/>1{{#lst:Mutual2|a}}<section end=a/>",
    "Mutual2": "<section begin=a/>2{{#lst:Mutual1|a}}<section end=a/>",
    "Given": "<section begin=a/>{{{1|none}}}<section end=a/>",
    "User:Name/part": "<section begin=a/>part<section end=a/>",
    "Template:Wrap": "{{#lst:Parts|{{{1}}}}}",
    "Unicode": "<Abschnitt Anfang=a/>deutsch<Abschnitt Ende=a/>",
}


pytestmark = pytest.mark.wiki(PAGES, writable=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#lst:Parts|b c}}", "B"),
        ("{{#section:Parts|a}}", "A Partsagain"),
        ("{{#LST:parts|a|b c}}", "A Parts midBagain end"),
        ("{{#lst:Parts||a}}", "top A Parts"),
        ("{{#lst:Parts|b c|}}", "Bagain end"),
        ("{{#lst:Parts}}", "top A Parts midBagain end"),
        ("{{#lst:Moved|b c}}", "B"),
        ("{{Wrap|b c}}", "B"),
        ("{{#lst:Nested|o}}", "xyz"),
        ("{{#lst:Nested|i}}", "y"),
        ("{{#lst:Open|a}}", "to the end"),
        ("{{#lst:Given|a}}", "none"),
        ("{{#lstx:Parts|a}}", "top  midB end"),
        ("{{#section-x:Parts|a|-}}", "top - midB- end"),
        ("{{#lstx:Parts|a|-|b c}}", "top --"),
        ("{{#lstx:Parts|none|-}}", "top A Parts midBagain end"),
        ("{{#lst:}}{{#lst:[|a}}{{#lst:Parts|A}}", ""),
    ],
)
def test_sections(site: Site, text: str, expected: str) -> None:
    # The name of the page is that of the page rendered, as in any transclusion.
    assert words_of(site, text, title="Parts") == expected


def test_marks_of_sections_show_nothing(site: Site) -> None:
    assert words_of(site, "a<section begin=x/>b<section end=x/>c") == "abc"


@pytest.mark.parametrize(
    ("text", "is_missing"),
    [
        ("{{#lst:Parts|x}}", True),
        ("{{#lsth:Heads|x}}", True),
        ("{{#lst:Lost|a}}", True),
        ("{{#lst:Parts|a}}{{#lsth:Heads|one}}{{#lst:Parts}}", False),
    ],
)
def test_missing_sections_are_tracked(site: Site, text: str, is_missing: bool) -> None:
    assert (MISSING in categories_of(site, text)) == is_missing


def test_missing_pages_are_linked(site: Site) -> None:
    assert "(page does not exist)" in html_of(site, "{{#lst:Nowhere|a}}")


@pytest.mark.parametrize("page", ["Self", "Mutual1"])
def test_loops_end(site: Site, page: str) -> None:
    html = html_of(site, f"{{{{#lst:{page}|a}}}}")
    assert "Template loop detected" in html


def test_pages_used_are_noted(site: Site) -> None:
    used = parsed(site, "{{#lst:Moved|a}}")["templates"]
    assert [entry["title"] for entry in used] == ["Moved", "Parts"]


def test_subpages(site: Site) -> None:
    assert words_of(site, "{{#lst:/part|a}}", title="User:Name") == "part"


def test_words_of_the_content_language(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES, config={"site": {"language": "de"}})
    assert "deutsch" in html_of(site, "{{#Abschnitt:Unicode|a}}")
    assert "Bagain" not in html_of(site, "{{#lst:Parts|b c}}")


def test_substituted(site: Site) -> None:
    answer = ask(
        site,
        {"action": "parse", "text": "{{subst:#lst:Parts|a}}", "onlypst": "1", "title": "X"},
    )
    assert answer.data["parse"]["text"] == "A {{PAGENAME}}again"


@pytest.mark.parametrize(
    ("name", "until", "expected"),
    [
        ("", "", "intro\n"),
        ("", "two", "intro\n== One ==\n1\n=== Sub ===\ns\n"),
        ("one", "", "\n1\n=== Sub ===\ns\n"),
        ("Sub", "", "\ns\n"),
        ("One", "last", "\n1\n=== Sub ===\ns\n==two==\n2\n"),
        ("One", "nowhere", "\n1\n=== Sub ===\ns\n"),
        ("last", "", "\nl"),
        ("On", "", None),
    ],
)
def test_headings(name: str, until: str, expected: str | None) -> None:
    assert Page.of(PAGES["Heads"]).under_heading(name, until) == expected


def test_sections_of_a_part_are_edited_in_its_page(site: Site) -> None:
    answer = parsed(site, "{{#section-h:Heads|One}}")
    assert [(each["line"], each["fromtitle"]) for each in answer["sections"]] == [("Sub", "Heads")]


def test_unpaired_tags_of_inclusion_vanish_from_the_text_under_a_heading(site: Site) -> None:
    assert words_of(site, "{{#lsth:Unpaired}}") == "a b"


@pytest.mark.parametrize("name", ["#lst", "#lstx", "#lsth"])
def test_invalid_titles_are_tracked(site: Site, name: str) -> None:
    categories = parsed(site, f"{{{{{name}:<a>|b}}}}")["categories"]
    assert [each["category"] for each in categories] == [MISSING]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a<noinclude>b</noinclude>c", "ac"),
        ("<noinclude>a\nb</NOINCLUDE >c</noinclude>", "c</noinclude>"),
        ("a<noinclude>b", "a<noinclude>b"),
        ("<noinclude>a<noinclude>b</noinclude>c", "c"),
    ],
)
def test_what_is_not_included(text: str, kept: str) -> None:
    assert without_noinclude(text) == kept
