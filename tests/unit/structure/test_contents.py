from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wikiapi.embedding import OpenWiki, open_wiki
from wikiapi.structure import page_infobox, page_references
from wikiapi.testing import make_site

PORTABLE = """<aside class="portable-infobox"><h2 class="pi-item pi-title">Green tea</h2>
<div class="pi-item pi-data"><h3 class="pi-data-label">Origin</h3>
<div class="pi-data-value"><a href="/wiki/China">China</a></div></div></aside>"""
TABLE = """<div><table class="infobox vcard"><tbody><tr><th colspan="2">Tea</th></tr>
<tr><td colspan="2"><img src="/tea.png" alt=""></td></tr>
<tr><th>Origin</th><td>China</td></tr><tr><th>Origin</th><td>Other</td></tr>
<tr><td colspan=2><table><tr><th>Inner</th><td>yes</td></tr></table></td></tr></tbody></table>
</div>"""
SECTIONS = """Lead.

{{Parts}}
== First ==
One.<ref>A note, [https://example.org/a its source].</ref><ref name="b">B</ref><ref name="b" />
=== Under ''it'' ===
Two.<ref group="n">Of a group</ref>
<div>
== Within a box ==
</div>
== First ==
Three.
<references /><references group="n" />"""


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenWiki]:
    path: Path = tmp_path_factory.mktemp("wiki") / "wiki.sqlite"
    pages = {"Tea": SECTIONS, "Template:Parts": "== Parts ==\nOf a template.\n", "None": ""}
    make_site(pages, path=path).db.close()
    with open_wiki(path) as opened:
        yield opened


def test_sections_have_their_source_and_text(wiki: OpenWiki) -> None:
    sections = wiki.page("Tea").sections
    assert [(section.title, section.level, section.anchor) for section in sections] == [
        ("", 0, ""),
        ("Parts", 2, "Parts"),
        ("First", 2, "First"),
        ("Under it", 3, "Under_it"),
        ("First", 2, "First_2"),
    ]
    lead, parts, first, under, last = sections
    assert (lead.source, lead.text) == ("Lead.\n\n{{Parts}}", "Lead.")
    assert (parts.source, parts.text) == ("", "Of a template.")
    assert first.source.startswith("== First ==\nOne.")
    assert (first.text, first.html[:3]) == ("One.", "<p>")
    assert under.source.startswith("=== Under ''it'' ===")
    assert under.text == "Two.\nWithin a box"
    assert last.text.startswith("Three.")


def test_page_without_text_has_an_empty_lead_section(wiki: OpenWiki) -> None:
    (lead,) = wiki.page("None").sections
    assert (lead.title, lead.source, lead.html, lead.text) == ("", "", "", "")


def test_references_are_listed_by_group(wiki: OpenWiki) -> None:
    assert [
        (note.number, note.group, note.text, note.urls, note.uses)
        for note in wiki.page("Tea").references
    ] == [
        (1, "", "A note, its source.", ["https://example.org/a"], 1),
        (2, "", "B", [], 2),
        (1, "n", "Of a group", [], 1),
    ]


def test_page_without_a_box_or_references(wiki: OpenWiki) -> None:
    page = wiki.page("None")
    assert page.infobox is None
    assert page.references == page.tables == page.templates == []


def test_infobox_that_is_a_table() -> None:
    box = page_infobox(TABLE)
    assert box is not None
    assert (box.title, box.images) == ("Tea", ["/tea.png"])
    assert {name: value.text for name, value in box.fields.items()} == {
        "Origin": "China",
        "Inner": "yes",
    }


def test_infobox_that_is_portable() -> None:
    box = page_infobox(PORTABLE)
    assert box is not None
    assert box.title == "Green tea"
    assert box.fields["Origin"].html == '<a href="/wiki/China">China</a>'
    assert box.fields["Origin"].text == "China"


@pytest.mark.parametrize(
    "html",
    [
        '<table class="infobox"><tr><td>' * 3_000,
        '<aside class="portable-infobox">' + '<div class="pi-data">' * 3_000,
        '<ol class="references"><li id="cite_note-1">' * 1_000,
    ],
    ids=["tables", "fields", "lists"],
)
def test_any_page_can_be_read(html: str) -> None:
    page_infobox(html)
    page_references(html)
