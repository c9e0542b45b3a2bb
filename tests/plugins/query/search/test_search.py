from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.store.queries.visibility import TEXT
from wikiapi.testing import ask
from wikiapi_plugins.query.search.search import snippet, word_count

BASE = {"action": "query", "list": "search", "srsearch": "word"}


pytestmark = pytest.mark.wiki({"Word": "other", "Other": "a word\nof words"}, writable=False)


@pytest.mark.parametrize(("what", "title"), [({}, "Word"), ({"srwhat": "text"}, "Other")])
def test_titles_unless_texts_are_requested(what: dict[str, str], title: str, site: Site) -> None:
    items = ask(site, BASE | what).data["query"]["search"]
    assert [item["title"] for item in items] == [title]


def test_a_store_without_index_says_so(own_site: Site) -> None:
    own_site.db.execute_sql("DROP TABLE searchindex")
    assert ask(own_site, BASE).codes == "search-title-disabled"
    assert ask(own_site, BASE | {"srwhat": "text"}).codes == "search-text-disabled"
    assert ask(own_site, BASE | {"srwhat": "nearmatch"}).codes == ""


def test_a_suppressed_text_is_not_shown(own_site: Site) -> None:
    own_site.db.execute_write(Revision.update(rev_deleted=TEXT))
    [item] = ask(own_site, BASE | {"srwhat": "text"}).data["query"]["search"]
    assert (item["snippet"], item["size"], item["wordcount"]) == ("", 0, 0)


def test_the_second_page_of_results_goes_on_counting(link_site: Site) -> None:
    params = {"action": "query", "generator": "search", "gsrsearch": "gamma", "gsroffset": "1"}
    [page] = ask(link_site, params).data["query"]["pages"]
    assert (page["title"], page["index"]) == ("Gamma double", 2)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("gamma", "Gamma"),
        ("GAMMA DOUBLE", "Gamma double"),
        ('"alpha"', "Alpha"),
        ("tALK:aLPHA", "Talk:Alpha"),
    ],
)
def test_near_matches(text: str, title: str | None, link_site: Site) -> None:
    params = BASE | {"srsearch": text, "srwhat": "nearmatch", "srprop": ""}
    items = ask(link_site, params).data["query"]["search"]
    assert [item["title"] for item in items] == ([title] if title else [])


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"list": "search", "srsearch": "word", "srprop": ""}, ("search",)),
        ({"list": "prefixsearch", "pssearch": "Word"}, ("prefixsearch",)),
        ({"list": "querypage", "qppage": "Lonelypages"}, ("querypage", "results")),
    ],
)
def test_walk_through_answers_that_are_cut(
    make_site: Callable[..., Site], params: dict[str, str], path: tuple[str, ...]
) -> None:
    names = [f"Word {number}" for number in range(7)]
    cut = make_site(dict.fromkeys(names, "x"), config={"http": {"result_size_limit": 20}})
    titles: list[str] = []
    steps, position = 0, dict[str, str]()
    while True:
        answer = ask(cut, {"action": "query"} | params | position).data
        items = answer["query"]
        for step in path:
            items = items[step]
        titles += [item["title"] for item in items]
        steps += 1
        if "continue" not in answer:
            break
        position = {name: str(value) for name, value in answer["continue"].items()}
    assert titles == names
    assert steps > 1


LOREM = re.compile(r"\blorem\b", re.IGNORECASE)


def with_marks(text: str) -> str:
    return text.replace("[", '<span class="searchmatch">').replace("]", "</span>")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("no such word", ""),
        ("a Lorem b", "a [Lorem] b\n"),
        ("lorem\nother\nlorem lorem\nlorem", "[lorem]\n[lorem] [lorem]\n"),
        ("<b>lorem</b> & 'it'", "&lt;b&gt;[lorem]&lt;/b&gt; &amp; &#039;it&#039;\n"),
        ("x" * 80 + " lorem " + "y" * 80, "..." + "x" * 74 + " [lorem] " + "y" * 75 + "\n"),
        ("x" * 77 + " lorem", "x" * 77 + " [lorem]\n"),
        ("é" * 50 + " lorem " + "é" * 50, "é" * 50 + " [lorem] " + "é" * 50 + "\n"),
        ("é" * 80 + " lorem " + "é" * 80, "..." + "é" * 74 + " [lorem] " + "é" * 75 + "\n"),
        ("lorem at the end    ", "[lorem] at the end    \n"),
        ("loremipsum lorem", "loremipsum [lorem]\n"),
    ],
)
def test_snippet(text: str, html: str) -> None:
    assert snippet(text, LOREM) == with_marks(html)


def test_without_terms_nothing_is_shown() -> None:
    assert snippet("text", None) == ""


def test_markup_in_the_text_stays_text() -> None:
    assert "<script>" not in snippet("lorem <script>alert(1)</script>", LOREM)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("one two", 2), ("don't re-do", 2), ("a1b", 2), ("-- x -- y", 3)]
)
def test_word_count(text: str, count: int) -> None:
    assert word_count(text) == count


@pytest.mark.parametrize(
    ("language", "search", "names"),
    [
        ("en", "Special:Contri", ["Contribute", "Contributions", "Contribs"]),
        ("en", "special:recent_c", []),
        ("tr", "Özel:Ara", ["Ara", "Arama"]),
        ("es", "Especial:Cambios_", ["Cambios en enlazadas", "Cambios recientes"]),
        ("de", "Spezial:Recent", ["RecentChanges", "RecentChangesLinked"]),
        ("hu", "Speciális:Keresés_", ["Keresés előtag szerint", "Keresés MIME-típus alapján"]),
    ],
)
def test_special_pages_by_all_their_names(
    make_site: Callable[..., Site], language: str, search: str, names: list[str]
) -> None:
    site = make_site({}, language=language)
    answer = ask(site, {"action": "query", "list": "prefixsearch", "pssearch": search}).data
    titles = [item["title"] for item in answer["query"]["prefixsearch"]]
    assert [title.partition(":")[2] for title in titles] == names
