"""The order of the results: queries with known answers, on three wikis of different kinds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from examples import demo_store
from tests.plugins.web.readers import Browser, texts
from tests.reference import material, wikis
from tests.servers import SERVER_PARAMS, running_or_skipped
from wikiapi.config import DatabaseConfig, load_config
from wikiapi.factory import open_site
from wikiapi.search import default_namespaces, search, similar_titles, suggestions
from wikiapi.site import Site
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.testing import make_site

ANSWERS: Mapping[str, Mapping[str, str]] = json.loads(
    Path(__file__).with_name("relevance.json").read_text("utf-8")
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("demo")
    site = open_site(demo_store.configure(folder, "http://127.0.0.1:8080"))
    with closing(site.db):
        yield site


@pytest.fixture(scope="module")
def refwiki() -> Iterator[Site]:
    """Open the reference wiki, a database of MediaWiki with an index of its own."""
    if not material.available():
        pytest.skip(material.MISSING)
    config = load_config(Path(wikis.__file__).with_name("refwiki.toml"))
    url = f"sqlite:///{material.unpack('refwiki.sqlite')}"
    database: DatabaseConfig = replace(config.database, url=url)
    site = open_site(replace(config, database=database, repositories=()))
    with closing(site.db):
        yield site


@pytest.fixture(scope="module", params=["sqlite", *SERVER_PARAMS])
def garden(request: pytest.FixtureRequest) -> Iterator[Site]:
    """Yield a wiki with subpages, translations, redirects and words with several endings."""
    declared = json.loads(Path(__file__).with_name("garden.json").read_text("utf-8"))
    site = make_site(declared["pages"])
    with closing(site.db):
        if request.param == "sqlite":
            yield site
            return
        with running_or_skipped(request.param) as server:
            url = server.create("garden")
            with closing(Database(url)) as copy:
                list(copy_store(site.db, copy))
            config = replace(site.config, database=replace(site.config.database, url=url))
            copied = open_site(config)
            with closing(copied.db):
                yield copied


def titles(site: Site, text: str, namespaces: Sequence[int] | None = None) -> list[str]:
    return [hit.title for hit in search(site, text, namespaces).hits]


@pytest.mark.parametrize("text", ANSWERS["demo"])
def test_the_best_page_of_the_demo_is_first(demo: Site, text: str) -> None:
    assert titles(demo, text)[0] == ANSWERS["demo"][text]


@pytest.mark.parametrize("text", ANSWERS["refwiki"])
def test_the_best_page_of_a_real_wiki_is_first(refwiki: Site, text: str) -> None:
    assert titles(refwiki, text)[0] == ANSWERS["refwiki"][text]


@pytest.mark.parametrize("text", ANSWERS["garden"])
def test_the_best_page_of_a_wiki_with_subpages_and_languages_is_first(
    garden: Site, text: str
) -> None:
    assert titles(garden, text)[0] == ANSWERS["garden"][text]


def questions(name: str) -> Mapping[str, Any]:
    """Return a wiki's questions, each with the page that a person expects first.

    They were written before anybody saw the results, so that some may have other answers.
    """
    data: Mapping[str, Any] = json.loads(
        Path(__file__).with_name(f"{name}.json").read_text("utf-8")
    )
    return data


def unexpected(site: Site, expected: Mapping[str, str]) -> dict[str, list[str]]:
    answers = {text: titles(site, text) for text in expected}
    return {text: first[:3] for text, first in answers.items() if first[:1] != [expected[text]]}


@pytest.mark.parametrize("name", ["trading", "valley"])
def test_eighteen_of_twenty_questions_have_the_expected_answer(name: str) -> None:
    declared = questions(name)
    language = declared.get("language", "en")
    site = make_site(declared["pages"], config={"site": {"language": language}})
    with closing(site.db):
        others = unexpected(site, declared["questions"])
    assert len(declared["questions"]) == 20
    assert len(others) <= 2, others


def test_eighteen_of_twenty_questions_to_a_manual_have_the_expected_answer(refwiki: Site) -> None:
    expected = questions("manual")["questions"]
    others = unexpected(refwiki, expected)
    assert len(expected) == 20
    assert len(others) <= 2, others


@pytest.mark.parametrize(
    ("text", "title", "correction"),
    [
        ("bürgermiester", "Bürgermeister", "bürgermeister"),
        ("burgermeistr", "Bürgermeister", "bürgermeister"),
        ("etüud", "Étude", "étude"),
        ("łdoz", "Łódź", "łódź"),
    ],
)
def test_words_with_diacritics_are_corrected(text: str, title: str, correction: str) -> None:
    site = make_site({"Bürgermeister": "Alle.", "Étude": "Une.", "Łódź": "Miasto."})
    with closing(site.db):
        results = search(site, text)
    assert [hit.title for hit in results.hits] == [title]
    assert results.correction == correction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("church", ["Churches", "Church tower"]),
        ("churches", ["Churches", "Church tower"]),
    ],
)
def test_a_title_is_the_query_with_other_endings(text: str, expected: list[str]) -> None:
    site = make_site(
        {
            "Churches": "In each church of the town there is a bell.",
            "Church tower": "The tower of a church is a church tower.",
        }
    )
    with closing(site.db):
        assert titles(site, text)[: len(expected)] == expected


SIGNALS = {
    "Category:Train signals": "Train signals.",
    "File:Train signals.png": "Train signals.",
    "Another page": "A train passes signals.",
    "Signals": "Of signals for a train there are many: path signals, block signals.",
    "Signal": "#REDIRECT [[Signals]]",
    "Train signal tutorial": "How one builds signals for a train.",
    "Help:Train signals": "Train signals.",
    "Talk:Signals": "A train signals.",
    "Template:Train signals": "train signals",
}


def test_articles_precede_categories_and_files() -> None:
    site = make_site(SIGNALS)
    with closing(site.db):
        usual = titles(site, "train signals")
        assert set(usual[:3]) >= {"Train signal tutorial", "Help:Train signals"}
        assert usual[-2:] == ["Category:Train signals", "File:Train signals.png"]
        assert "Talk:Signals" not in usual
        every = titles(site, "train signals", site.namespaces.ids())
        assert every[: len(usual)] == usual
        assert every[len(usual) :] == ["Template:Train signals", "Talk:Signals"]
        assert titles(site, "signal")[0] == "Signals"
        assert "Signal" not in titles(site, "signal")
        assert titles(site, "train signals -tutorial")[0] == "Help:Train signals"
        assert titles(site, "Category:train") == ["Category:Train signals"]


SUGGESTED = {
    "Tea": "A drink.",
    "Tea/Green": "A sort.",
    "Tea ceremony": "A custom.",
    "Teahouse": "A house.",
    "Chai": "#REDIRECT [[Tea]]",
    "Teapot lid": "#REDIRECT [[Teapot]]",
    "Teapot": "A vessel.",
    "Green tea": "A sort.",
    "File:Tea.png": "A picture.",
    "Help:Tea": "How one makes it.",
    "Category:Teas": "All of them.",
    "Talk:Tea": "Words.",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tea", ["Tea", "Tea/Green", "Tea ceremony", "Help:Tea", "Teapot", "Teahouse",
                 "Category:Teas", "File:Tea.png"]),
        ("teaopt", ["Teapot"]),
        ("TEA CER", ["Tea ceremony"]),
        ("cha", ["Tea < Chai"]),
        ("Teapot l", ["Teapot < Teapot lid"]),
        ("ceremony te", ["Tea ceremony"]),
        ("green", ["Green tea", "Tea/Green"]),
        ("Help:Te", ["Help:Tea"]),
        ("teap", ["Teapot"]),
        ("Talk:", ["Talk:Tea"]),
        ("Special:Recentch", ["Special:RecentChanges", "Special:RecentChangesLinked"]),
        ("nothing", []),
        ('-"*', []),
        ("[", []),
    ],
)  # fmt: skip
def test_suggestions(text: str, expected: list[str]) -> None:
    site = make_site(SUGGESTED)
    with closing(site.db):
        reply = Browser(site).get("/wiki/Special:Search", urlencode({"suggest": text}))
        lines = [
            f"{one['title']} < {one['redirect']}" if one["redirect"] else one["title"]
            for one in json.loads(reply.text)
        ]
    assert lines == expected
    assert reply.headers["content-type"] == "application/json"


def test_suggestions_need_no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    site = make_site(SUGGESTED)
    monkeypatch.setattr(site.db, "full_text", "")
    with closing(site.db):
        pages = suggestions(site, "green", default_namespaces(site), 8)
    assert [page.title.prefixed_text for page in pages] == ["Green tea"]


def test_an_excerpt_has_the_text_without_its_signs() -> None:
    text = (
        "{{Box|name=[[Tea]]|{{Inner}}}}<!-- hidden -->__NOTOC__\n"
        "[[File:Leaf.png|thumb|A [[leaf]]]] '''Tea''' is a [[drink|hot ''drink'']]"
        "<ref>Secret note.</ref> &amp; [https://tea.example more]<br/>.\n"
        '{| class="wikitable"\n! Kind !! Colour\n|-\n| style="x" | Green || pale\n|}\n'
        "* one\n[[Category:Drinks]] {{unclosed drink"
    )
    site = make_site({"Tea": text})
    with closing(site.db):
        tree = Browser(site).page("/w/index.php", "search=drink&fulltext=1")
    (snippet,) = texts(tree, ".snippet")
    assert snippet == ("Tea is a hot drink & more . Kind Colour Green pale one unclosed drink")
    assert texts(tree, ".searchmatch") == ["drink", "drink"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Ceremony of coffee", ["Tea ceremony"]), ("etapot", ["Teapot"]), ("xyz", [])],
)
def test_titles_similar_to_one_that_is_missing(text: str, expected: list[str]) -> None:
    site = make_site(SUGGESTED)
    with closing(site.db):
        rows = similar_titles(site, text, (0,), 1)
    assert [row.title.replace("_", " ") for row in rows] == expected
