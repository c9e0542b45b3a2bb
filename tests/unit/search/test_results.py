"""What a search returns: pages as data, in parts, with their excerpts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.errors import SearchRefused
from wikiapi.search import Part, search
from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.store.queries.pages import by_titles
from wikiapi.store.queries.visibility import TEXT
from wikiapi.wikitext import ParserOptions, StoredRevision

PAGES = {
    "Tea": "A hot drink of leaves.",
    "Hot spring": "Water, not tea & leaves <b>.",
    "Help:Leaves": "What trees lose.",
    "Chai": "#REDIRECT [[Tea]]",
    "Lost": "#REDIRECT [[Nowhere]] hot drink",
    "Lost leaves": "#REDIRECT [[Nowhere]]",
    "Talk:Tea": "Leaves, too.",
    "Kettle": "It boils.\n== Use ==\n"
    + "More words. " * 30
    + "\n=== With ''tea'' ===\nPour sencha.",
}


pytestmark = pytest.mark.wiki(PAGES, writable=False)


def titles(site: Site, text: str, **options: object) -> list[str]:
    return [hit.title for hit in search(site, text, **options).hits]  # type: ignore[arg-type]


def test_titles_come_before_texts(site: Site) -> None:
    assert titles(site, "leaves")[0] == "Help:Leaves"
    assert titles(site, "tea")[0] == "Tea"


def test_titles_alone(site: Site) -> None:
    assert titles(site, "tea", titles=True) == ["Tea"]
    assert titles(site, "drink", titles=True) == []


def test_namespaces(site: Site) -> None:
    assert set(titles(site, "leaves")) == {"Help:Leaves", "Tea", "Hot spring", "Lost leaves"}
    assert set(titles(site, "leaves", namespaces=[12])) == {"Help:Leaves"}
    assert titles(site, "leaves", namespaces=site.namespaces.ids())[-1] == "Talk:Tea"
    assert titles(site, "Talk:leaves") == ["Talk:Tea"]
    assert titles(site, "leaves", namespaces=[]) == []


def test_results_in_parts(site: Site) -> None:
    first, second = (search(site, "leaves", limit=2, offset=offset) for offset in (0, 2))
    assert first.total == second.total == 4
    assert [len(first.hits), len(second.hits)] == [2, 2]
    assert {hit.title for hit in (*first.hits, *second.hits)} == set(titles(site, "leaves"))


def test_a_hit_has_the_data_of_the_page(site: Site) -> None:
    hit = search(site, "water").hits[0]
    assert (hit.title, hit.namespace, hit.size, hit.words) == ("Hot spring", 0, 28, 5)
    assert hit.page_id > 0
    assert hit.snippet[0] == Part("Water", match=True)
    assert hit.as_json()["snippet"] == "Water, not tea & leaves ."
    assert hit.timestamp.endswith("Z")
    assert (hit.redirect, hit.section) == (None, None)


def test_a_redirect_leads_to_its_target(site: Site) -> None:
    hit = search(site, "chai").hits[0]
    assert hit.title == "Tea"
    assert hit.redirect is not None
    assert hit.as_json()["redirect"] == "Chai"


def test_redirects_count_by_their_titles(site: Site) -> None:
    assert "Lost" not in titles(site, "hot drink")
    assert titles(site, "redirect") == []


def test_a_redirect_that_leads_nowhere_comes_last(site: Site) -> None:
    assert titles(site, "leaves", namespaces=[0]) == ["Tea", "Hot spring", "Lost leaves"]


def test_the_section_that_matches(site: Site) -> None:
    hit = search(site, "sencha").hits[0]
    assert hit.section == "With tea"
    assert hit.excerpt.startswith("It boils. Use More words.")
    assert hit.excerpt.endswith("Pour sencha.")


def test_excerpts_are_of_rendered_text_where_it_is_cached(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {
        "Template:Box": '<div class="box">Kind</div>',
        "Template:Is": "is a {{{kind}}}",
        "Tea": "{{Box}}\n\nSencha {{Is|kind=drink}}.",
        "Cup": "{{Box}}\n\nFor sencha, it {{Is|kind=pot}}.",
    }
    site = make_site(pages)
    title = site.titles.parse("Tea")
    row = by_titles(site.db, [title.key]).get(title.key)
    assert row is not None
    revision = StoredRevision(row.page_id, row.latest, row.touched)
    options = ParserOptions()
    site.page_cache.output(
        revision, options, lambda: site.parser.parse(pages["Tea"], title, options)
    )
    monkeypatch.setattr(type(site.parser), "parse", lambda *_: pytest.fail("A page is rendered."))
    excerpts = {hit.title: hit.excerpt for hit in search(site, "sencha").hits}
    assert excerpts == {"Tea": "Sencha is a drink. Kind", "Cup": "For sencha, it ."}


def test_excluded_words_are_neither_in_titles_nor_in_texts(site: Site) -> None:
    assert "Tea" not in titles(site, "leaves -drink")
    assert "Help:Leaves" not in titles(site, "trees -leaves")


def test_words_that_no_page_has_together_come_near(site: Site) -> None:
    results = search(site, "kettle trees")
    assert results.is_partial
    assert {hit.title for hit in results.hits} == {"Kettle", "Help:Leaves"}
    assert results.hits[0].title == "Kettle"
    assert not results.correction


@pytest.mark.parametrize(
    ("text", "corrected"),
    [("ketle", "kettle"), ("kettel boils", "kettle boils"), ("hto psring", ""), ("kettle", "")],
)
def test_other_spellings(site: Site, text: str, corrected: str) -> None:
    results = search(site, text)
    assert results.correction == corrected
    if corrected:
        assert results.hits[0].title == "Kettle"


def test_a_correction_is_a_query_again(make_site: Callable[..., Site]) -> None:
    site = make_site({"Kettle": "It boils in a big pot.", "Pan": "A kettle fries."})
    assert search(site, '"big pot" ketle -fries').correction == '"big pot" kettle -fries'


def test_suppressed_texts_are_not_quoted(own_site: Site) -> None:
    own_site.db.execute_write(Revision.update({Revision.rev_deleted: TEXT}))
    assert titles(own_site, "tea") == []


@pytest.mark.parametrize("text", ["", "%%%", '"" *', "Talk:"])
def test_a_search_for_nothing_is_refused(site: Site, text: str) -> None:
    if text == "Talk:":
        assert titles(site, text) == []
        return
    with pytest.raises(SearchRefused, match="no words"):
        search(site, text)


def test_a_store_without_an_index(own_site: Site) -> None:
    own_site.db.execute_sql("DROP TABLE searchindex")
    with pytest.raises(SearchRefused, match="no full-text index"):
        titles(own_site, "tea")
