"""Files are looked up all at once, and what they bring comes in the order of the text."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.unit.wikitext.media.conftest import Elsewhere
from wikiapi.filerepo import RepositoryUnavailable
from wikiapi.pages.links.check import check_links
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.store.check import Finding
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

    wiki.messages.names()  # which are read once for each state of the wiki
    few = "[[File:Wide.jpg]] [[File:Way.jpg]] [[File:None.jpg]] [[No page]]"
    many = few + "[[File:Small.png|thumb]] [[File:None2.jpg]]" * 40
    assert queries(many) == queries(few)


def test_links_alone_need_no_thumbnails(wiki: Site, repository: Any) -> None:
    output = wiki.parser.links_of(MANY.replace("{{Twice", "{{#if:a"), wiki.titles.parse("T"))
    assert len(repository.asked) == 1
    assert not repository.drawn
    assert list(output.categories) == ["Pages_with_broken_file_links"]
    assert list(output.images) == [
        "Far3.png", "Far7.png", "Far6.png", "None.png", "Far2.png", "Far1.png", "Far4.png",
        "Far5.png",
    ]  # fmt: skip


def test_links_alone_track_the_missing_files_of_all_repositories(
    wiki: Site, repository: Any
) -> None:
    there = wiki.parser.links_of("[[File:Far1.png]] [[File:Wide.jpg]]", wiki.titles.parse("T"))
    assert repository.asked == [["Far1.png"]]
    assert not there.categories
    missing = wiki.parser.links_of("[[File:None.png]]", wiki.titles.parse("T"))
    assert list(missing.categories) == ["Pages_with_broken_file_links"]


def test_texts_that_are_rendered_together_share_their_files(wiki: Site, repository: Any) -> None:
    texts = [(f"[[File:Far{n}.png|20px]] [[File:Far9.png|20px]]", n) for n in range(3)]
    titles = [(text, wiki.titles.parse(f"T{n}")) for text, n in texts]
    outputs = wiki.parser.parse_all(titles)
    assert repository.asked == [["Far0.png", "Far1.png", "Far2.png", "Far9.png"]]
    assert all(output.html.count("<img") == 2 for output in outputs)


class TestDeriving:
    """The links that are derived for stored pages, with the files of a foreign repository."""

    TRACKED = "SELECT page_title FROM categorylinks JOIN page ON page_id = cl_from ORDER BY 1"

    def site(self, foreign: Any, pages: dict[str, str]) -> Site:
        return make_site(pages, plugins=[foreign])

    def derived(self, site: Site) -> list[str]:
        mark_all(site.db)
        LinksUpdate(site).run()
        return [title for (title,) in site.db.execute_sql(self.TRACKED)]

    def findings(self, site: Site) -> list[Finding]:
        derive = partial(map, LinkDeriver(site).derive)
        return list(check_links(site.db, derive, None, lambda _: None))

    def image(self, site: Site) -> list[Any]:
        query = "SELECT pp_value FROM page_props WHERE pp_propname = 'page_image_free'"
        return [value for (value,) in site.db.execute_sql(query)]

    @pytest.mark.parametrize("is_remote", [True, False])
    def test_they_are_those_of_a_rendering(
        self, foreign: Any, is_remote: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Elsewhere, "is_remote", is_remote)
        pages = {"A": "[[File:Far1.png]]", "B": "[[File:None.png]]", "C": "[[File:Far2.png]]"}
        site = self.site(foreign, pages)
        assert self.derived(site) == ["B"]
        assert sorted(self.image(site)) == ["Far1.png", "Far2.png"]
        for name, text in pages.items():
            rendered = site.parser.parse(text, site.titles.parse(name))
            assert bool(rendered.categories) == (name == "B")
            assert rendered.properties.get("page_image_free", "") in text
        assert self.findings(site) == []

    def test_a_batch_of_pages_takes_one_request(self, foreign: Any) -> None:
        pages = {f"P{n}": f"[[File:Far{n}.png]] {{{{Icon}}}}" for n in range(150)}
        pages["Template:Icon"] = "[[File:{{#if:1|Far}}{{#if:1|Icon}}.p{{#if:1|ng}}]]"
        site = self.site(foreign, pages)
        asked = foreign.repository.asked
        asked.clear()
        assert self.derived(site) == []
        # The name of the icon appears only while the pages are parsed, or in their former links.
        assert len(asked) == 1
        site.db.execute_sql("DELETE FROM imagelinks")
        asked.clear()
        assert self.derived(site) == []
        assert len(asked) == 2
        assert asked[1] == ["FarIcon.png"]
        assert self.findings(site) == []

    def test_each_file_is_asked_for_once(self, foreign: Any) -> None:
        site = self.site(foreign, {f"P{n}": "[[File:Far.png]] [[File:None.png]]" for n in range(9)})
        foreign.repository.asked.clear()
        assert len(self.derived(site)) == 9
        assert foreign.repository.asked == [["Far.png", "None.png"]]

    def test_rows_stay_while_the_repository_cannot_be_reached(
        self, foreign: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        pages = {"A": "[[File:Far1.png]]", "B": "[[File:None.png]]", "C": "[[File:Far2.png]]"}
        site = self.site(foreign, pages)
        before = self.derived(site), sorted(self.image(site))

        def fail(repository: Elsewhere, names: Any) -> Any:
            raise RepositoryUnavailable("it is gone")

        monkeypatch.setattr(Elsewhere, "find", fail)
        assert self.findings(site) == []
        assert (self.derived(site), sorted(self.image(site))) == before
        texts = [record.getMessage() for record in caplog.records]
        assert any("elsewhere cannot be reached: it is gone" in text for text in texts)
        assert any("3 pages keep what they said of missing files" in text for text in texts)


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
        ("[[File:None.png|20pxpx]]", ["Broken", "Pages_with_image_sizes_containing_extra_px"]),
        ("[[File:None.png|[[Category:A]]]]", ["A", "Broken"]),
        ("[[Category:A]] [[Media:None.png]] [[File:Wide.jpg]]", ["A"]),
        ("<gallery>\nNone.png\n</gallery> [[Category:A]]", ["Broken", "A"]),
        ("<gallery>\n:Page\n</gallery>", ["Broken"]),
    ],
)
def test_missing_files_are_tracked(parse: Any, text: str, categories: list[str]) -> None:
    broken = "Pages_with_broken_file_links"
    short_names = ["Broken" if name == broken else name for name in parse(text).categories]
    assert short_names == categories


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
