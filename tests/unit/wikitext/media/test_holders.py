"""Files are looked up all at once, and what they bring comes in the order of the text."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import make_site

MANY = """
[[File:Far1.png|thumb|a [[File:Far2.png|20px]] <gallery>
Far3.png
</gallery>]]
{{Twice|[[File:Far4.png|20px]]}}
[[Media:Far5.png]]
<gallery mode="packed">
Far6.png|[[File:Far7.png]]
None.png
</gallery>
"""


def test_repositories_are_queried_once(parse: Any, repository: Any) -> None:
    html = parse(MANY).html
    assert len(repository.asked) == 1
    assert repository.asked[0] == [f"Far{n}.png" for n in range(1, 8)] + ["None.png"]
    assert len(repository.drawn) == 1
    assert html.count("https://far.example/Far5.png") == 1
    assert html.count("<img") == 7


def test_files_cost_the_same_queries_however_many(wiki: Site, parse: Any) -> None:
    def queries(text: str) -> int:
        with wiki.db.recording() as log:
            parse(text)
        return len(log)

    few = "[[File:Wide.jpg]] [[File:Way.jpg]] [[File:None.jpg]]"
    many = few + "[[File:Small.png|thumb]] [[File:None2.jpg]]" * 40
    assert queries(many) == queries(few)


def test_links_alone_need_no_thumbnails_and_no_network(wiki: Site, repository: Any) -> None:
    output = wiki.parser.links_of(MANY.replace("{{Twice", "{{#if:a"), wiki.titles.parse("T"))
    assert not repository.asked
    assert not repository.drawn
    # The files may be there: that was not asked.
    assert not output.categories
    assert list(output.images) == [
        "Far3.png", "Far7.png", "Far6.png", "None.png", "Far2.png", "Far1.png", "Far4.png",
        "Far5.png",
    ]  # fmt: skip


def test_links_alone_track_missing_files_where_all_files_are_at_hand(
    wiki: Site, repository: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "is_remote", False)
    there = wiki.parser.links_of("[[File:Far1.png]] [[File:Wide.jpg]]", wiki.titles.parse("T"))
    assert repository.asked == [["Far1.png"]]
    assert not there.categories
    missing = wiki.parser.links_of("[[File:None.png]]", wiki.titles.parse("T"))
    assert list(missing.categories) == ["Pages_with_broken_file_links"]


def test_links_are_derived_without_asking_over_the_network(foreign: Any) -> None:
    text = "[[File:Far1.png]] [[File:None.png]] {{filepath:Far2.png}} [[Media:Far3.png]]"
    site = make_site({"Page": text}, plugins=[foreign])
    assert foreign.repository.asked == []
    assert sorted(site.db.execute_sql("SELECT il_to FROM imagelinks")) == [
        ("Far1.png",), ("Far3.png",), ("None.png",),
    ]  # fmt: skip
    assert site.db.execute_sql("SELECT * FROM categorylinks") == []
    site.db.close()


def test_links_alone_know_files_of_repositories_at_hand(
    wiki: Site, repository: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "is_remote", False)
    found = wiki.files.find_without_network([wiki.titles.parse("File:Far1.png")])
    assert [file.name for file in found.values()] == ["Far1.png"]


def test_links_alone_know_addresses_in_captions(wiki: Site) -> None:
    text = (
        "[[File:A.png|thumb|https://a.example]] https://b.example "
        "[[File:A.png|https://no.example]] [[File:A.png|left|https://c.example]]"
    )
    output = wiki.parser.links_of(text, wiki.titles.parse("T"))
    assert list(output.external_links) == [f"https://{c}.example" for c in "abc"]


def test_a_redirect_and_its_target_are_used(parse: Any) -> None:
    output = parse("[[File:Way.jpg]] [[File:Small.png]] [[Media:Way.jpg]]")
    assert list(output.images) == ["Way.jpg", "Wide.jpg", "Small.png"]


def test_looking_up_a_file_uses_the_target_of_its_redirect(parse: Any) -> None:
    output = parse("{{#ifexist:Media:Way.jpg|a}} {{#ifexist:Media:None.jpg|b|c}}")
    assert "<p>a c\n</p>" in output.html
    assert list(output.images) == ["Wide.jpg", "None.jpg"]


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("[[Category:A]] [[File:None.png]] [[Category:B]]", ["A", "Broken", "B"]),
        ("[[File:None.png]] [[Category:A]] [[File:None.png]]", ["Broken", "A"]),
        ("[[Category:A]] [[Media:None.png]] [[File:Wide.jpg]]", ["A"]),
        ("<gallery>\nNone.png\n</gallery> [[Category:A]]", ["Broken", "A"]),
        ("<gallery>\n:Page\n</gallery>", ["Broken"]),
    ],
)
def test_missing_files_are_tracked(parse: Any, text: str, categories: list[str]) -> None:
    broken = "Pages_with_broken_file_links"
    found = ["Broken" if name == broken else name for name in parse(text).categories]
    assert found == categories


def test_bad_files_are_shown_where_they_may_be(parse: Any) -> None:
    assert "mw:Error" in parse("[[File:Bad.jpg]]").html
    assert "mw:Error" not in parse("[[File:Bad.jpg]]", "Page").html
    assert "mw:Error" in parse("<gallery>\nBad.jpg\n</gallery>").html


def test_repeated_captions_are_limited(parse: Any) -> None:
    caption = "y" * 100_000
    text = f"{{{{Fifty|{{{{Twice|<gallery>\nWide.jpg|{caption}\n</gallery>}}}}}}}}"
    output = parse(text)
    assert len(output.html) < 6_000_000
    assert "<img" in output.html


def test_forged_markers_are_inert(parse: Any) -> None:
    marker = "\x7f'\"`UNIQ--media-00000000-QINU`\"'\x7f"
    html = parse(f"{marker} [[File:Wide.jpg|20px]]").html
    assert html.count("<img") == 1
    assert "\x7f" not in html
