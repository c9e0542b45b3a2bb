from __future__ import annotations

import re

import pytest

from wikiapi.search.excerpts import excerpt, prose, rendered_prose
from wikiapi.site import Site

pytestmark = pytest.mark.wiki()
TERMS = re.compile(r"\btea\w*|\bdrink\b", re.IGNORECASE)


def plain(site: Site, text: str, model: str = "wikitext") -> str:
    return prose(site, site.titles.parse("Hot drinks/Tea"), text, model).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'''Tea''' is a ''[[drink|hot drink]]''.", "Tea is a hot drink."),
        ("{{Box|name=[[Tea]]|{{Inner}}}}\nTea.", "Tea."),
        ("{{Note|Remember this}}\nTea.", "Tea."),
        ("In German, {{lang|de|Tee}} is tea{{sfn|Smith|2010}}.", "In German, Tee is tea."),
        ("{{Button|Save}} saves.", "Save saves."),
        ("Hello {{{1|stranger}}}{{{2}}}.", "Hello stranger."),
        ("On {{SITENAME}}, {{SUBPAGENAME}} is hot.", "On Test wiki, Tea is hot."),
        ("See [[wikipedia:Tea|tea]] [[:File:A.png]][[Category:X]].", "See tea File:A.png."),
        ("[[File:Leaf.png|thumb|A [[leaf]]]] Tea.", "Tea."),
        ("Tea<ref>Secret.</ref> &amp; [https://tea.example more]<br/>.", "Tea & more ."),
        ('{| class="x"\n! Kind !! Colour\n|-\n| style="x" | A || B\n|}', "Kind Colour A B"),
        ("== Use ==\n* one\n----\n# two __NOTOC__", "one two"),
        ("<!-- hidden -->{{unclosed tea", "unclosed tea"),
    ],
)  # fmt: skip
def test_prose(site: Site, text: str, expected: str) -> None:
    assert plain(site, text) == expected.replace("Test wiki", site.config.site.name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{|\n| Kind\n| A [[b]]\n|}\nTea.", "Tea. Kind A b"),
        ("{{Box start}}\n| Kind\n|}\nTea.", "Tea. Kind"),
        ("{|\n|\n{|\n| Inner\n|}\nOuter.\n|}\nTea.", "Tea. Inner Outer."),
        (":''For cups, see [[Cup]].''\nTea.", "Tea. For cups, see Cup."),
        ("Tea.\n{|\n| Kind\n|}\nMore.", "Tea. Kind More."),
        ("{|\n| Kind\n|}\n== Use ==\nTea.\n== More ==\nCup.", "Tea. More Cup. Kind"),
        ("== Use ==\n=== Now ===\nTea.", "Tea."),
        ("== Use ==\n== More ==", "Use More"),
        ("{|\n| Never closed\nTea.", "Never closed Tea."),
    ],
)
def test_tables_and_notes_do_not_begin_a_page(site: Site, text: str, expected: str) -> None:
    assert plain(site, text) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p><b>Tea</b> &amp; <i>more</i>.\n</p>", "Tea & more."),
        ('<div class="mw-parser-output"><p>Tea.</p>\n<!-- a --></div>', "Tea."),
        ('<table class="infobox"><tr><th>Kind<td>A</table><p>Tea.</p>', "Tea. Kind A"),
        ('<div role="note">For cups, see Cup.</div><p>Tea.</p>', "Tea. For cups, see Cup."),
        ("<aside>Kind</aside><p><br></p><p>Tea.</p>", "Tea. Kind"),
        ("<p>Tea.</p><table><tr><td>Kind</table><p>More.</p>", "Tea. Kind More."),
        ('<div class="box">Kind</div>', "Kind"),
        ("<div>One</div><div>Two</div>", "One Two"),
        ("<h2>Use</h2><p>Tea.</p><h2>More</h2><p>Cup.</p>", "Tea. More Cup."),
        ("<figure><figcaption>A leaf</figcaption></figure><p>Tea</p>", "Tea"),
        ('<p>Tea<sup class="reference">[1]</sup></p><ol class="references"><li>Note</ol>', "Tea"),
        ('<p><span class="mw-broken-media">File:A.png</span> Tea</p>', "Tea"),
        ('<style>.a{}</style><p>Tea.</p><div class="navbox"><div class="navbox">Cup</div></div>',
         "Tea."),
        ("", ""),
    ],
)  # fmt: skip
def test_rendered_prose(source: str, expected: str) -> None:
    assert rendered_prose(source).text == expected


def test_a_page_that_begins_with_a_heading_has_its_section() -> None:
    page = rendered_prose("<h2>Use</h2><p>Tea. " + "x " * 200 + "cup.</p>")
    assert page.headings == ((0, "Use"),)
    assert excerpt(page, re.compile("cup")).section == "Use"


def test_sections_of_rendered_prose() -> None:
    page = rendered_prose(
        "<table><tr><td>Kind</table><p>Lead.</p>"
        '<div class="mw-heading mw-heading2"><h2 id="One">One</h2>'
        '<span class="mw-editsection">edit</span></div><p>a</p><h3>Two</h3><p>b</p>'
    )
    assert page.text == "Lead. One a Two b Kind"
    assert [(page.text[place:], heading) for place, heading in page.headings] == [
        ("One a Two b Kind", "One"),
        ("Two b Kind", "Two"),
        ("Kind", ""),
    ]
    terms = [re.compile(word) for word in ("Lead", "b", "Kind")]
    long = page._replace(text=page.text.replace("Lead.", "Lead." + " x" * 200))
    shifted = [(place + 400, heading) for place, heading in page.headings]
    sections = [excerpt(long._replace(headings=tuple(shifted)), term).section for term in terms]
    assert sections == [None, "Two", None]


def test_other_models_are_quoted_as_they_are(site: Site) -> None:
    assert (
        plain(site, "local x = {{1}}\n  -- [[note]]", "Scribunto") == "local x = {{1}} -- [[note]]"
    )


def test_headings_have_their_places(site: Site) -> None:
    page = prose(
        site, site.titles.parse("X"), "Lead.\n== One ==\na b\n=== ''Two'' ===\nc", "wikitext"
    )
    assert [page.text[place:] for place, _ in page.headings] == ["One a b Two c", "Two c"]
    assert [heading for _, heading in page.headings] == ["One", "Two"]


def marked(site: Site, text: str) -> tuple[str, str | None]:
    """Return an excerpt with its matches in brackets, and its section."""
    page = prose(site, site.titles.parse("X"), text, "wikitext")
    parts, section = excerpt(page, TERMS)
    return "".join(f"[{part.text}]" if part.match else part.text for part in parts), section


FILLING = "words and more of them " * 20


@pytest.mark.parametrize(
    ("text", "expected", "section"),
    [
        ("Of tea.", "Of [tea].", None),
        ("", "", None),
        ("Nothing of it.", "Nothing of it.", None),
        ("Tea & <b>drink</b>", "[Tea] & [drink]", None),
    ],
)
def test_short_texts_are_quoted_wholly(
    site: Site, text: str, expected: str, section: str | None
) -> None:
    assert marked(site, text) == (expected, section)


def test_the_lead_precedes_a_match_below(site: Site) -> None:
    text, section = marked(
        site, f"The lead. {FILLING}\n== Use ==\n{FILLING} A teapot of tea. {FILLING}"
    )
    assert text.startswith("The lead. words and more")
    assert text.count("…") == 2
    assert "A [teapot] of [tea]." in text
    assert section == "Use"
    assert len(text) < 260


def test_the_part_with_most_terms_is_quoted(site: Site) -> None:
    text, _ = marked(site, f"{FILLING} tea {FILLING} tea to drink {FILLING}")
    assert "[tea] to [drink]" in text
    assert text.count("[") == 2


def test_a_lead_with_all_terms_is_enough(site: Site) -> None:
    text, section = marked(site, f"Tea is a drink. {FILLING}\n== Use ==\ntea drink tea drink")
    assert text.startswith("[Tea] is a [drink]. words")
    assert text.count("…") == 1
    assert section is None
