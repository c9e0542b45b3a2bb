from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

pytestmark = pytest.mark.wiki(
    {
        "Alpha": "a",
        "Beta": "b",
        "Talk:Alpha": "t",
        "To alpha": "#REDIRECT [[Alpha#part]]",
        "Twice": "#REDIRECT [[To alpha]]",
        "Loop": "#REDIRECT [[Pool]]",
        "Pool": "#REDIRECT [[Loop]]",
        "Away": "#REDIRECT [[de:Alpha]]",
    },
    interwiki={"de": "https://de.example/wiki/$1"},
)


def query(site: Site, **params: str) -> dict[str, Any]:
    answer = ask(site, {"action": "query", **params})
    assert not answer.codes
    return answer.version1.get("query", {})


def test_normalised_spellings_are_reported_once(site: Site) -> None:
    assert query(site, titles="alpha|_Alpha_|alpha")["normalized"] == [
        {"from": "alpha", "to": "Alpha"},
        {"from": "_Alpha_", "to": "Alpha"},
    ]


def test_interwiki_titles_are_normalised_too(site: Site) -> None:
    answer = query(site, titles="DE:alpha", iwurl="")
    assert answer["normalized"] == [{"from": "DE:alpha", "to": "de:alpha"}]
    assert answer["interwiki"] == [
        {"title": "de:alpha", "iw": "de", "url": "https://de.example/wiki/alpha"}
    ]
    assert "pages" not in answer


def test_text_that_was_not_normalised_is_reported_encoded(site: Site) -> None:
    assert query(site, titles="A\u030a")["normalized"] == [
        {"fromencoded": "", "from": "A%CC%8A", "to": "\u00c5"}
    ]


def test_ids_of_what_is_not_stored(site: Site) -> None:
    pages = query(site, titles="No|Talk:No|bad[x|Nope|Special:Version|Alpha")["pages"]
    assert {key: page["title"] for key, page in pages.items()} == {
        "-1": "bad[x",
        "-2": "Special:Version",
        "-3": "No",
        "-4": "Nope",
        "-5": "Talk:No",
        "1": "Alpha",
    }


def test_page_ids_come_apart_in_the_order_of_the_pages(site: Site) -> None:
    answer = query(site, titles="Alpha|No|bad[x", indexpageids="")
    assert answer["pageids"] == ["-2", "-1", "1"]


def test_fragment_alone_is_no_page(site: Site) -> None:
    assert "pages" not in query(site, titles="#part")


def test_same_invalid_title_twice(site: Site) -> None:
    assert list(query(site, titles="\x1fbad[x\x1fbad[x")["pages"]) == ["-1"]


def test_redirects_are_left_alone_unless_requested(site: Site) -> None:
    assert [p["title"] for p in query(site, titles="Twice")["pages"].values()] == ["Twice"]


def test_redirects_are_followed_to_the_end(site: Site) -> None:
    answer = query(site, titles="Twice|Alpha", redirects="")
    assert answer["redirects"] == [
        {"from": "Twice", "to": "To alpha"},
        {"from": "To alpha", "to": "Alpha", "tofragment": "part"},
    ]
    assert list(answer["pages"]) == ["1"]


def test_redirect_loops_end(site: Site) -> None:
    answer = query(site, titles="Loop", redirects="")
    assert answer["redirects"] == [
        {"from": "Loop", "to": "Pool"},
        {"from": "Pool", "to": "Loop"},
    ]
    assert "pages" not in answer


def test_redirect_to_another_wiki(site: Site) -> None:
    answer = query(site, titles="Away", redirects="")
    assert answer["redirects"] == [{"from": "Away", "to": "de:Alpha", "tointerwiki": "de"}]
    assert answer["interwiki"] == [{"title": "de:Alpha", "iw": "de"}]


def test_page_ids(site: Site) -> None:
    pages = query(site, pageids="2|1|999|0|-1|2")["pages"]
    assert pages["999"] == {"pageid": 999, "missing": ""}
    assert pages["0"] == {"pageid": 0, "missing": ""}
    assert pages["-1"] == {"pageid": -1, "missing": ""}
    assert pages["1"]["title"] == "Alpha"
    assert len(pages) == 5


def test_revision_ids(site: Site) -> None:
    answer = query(site, revids="2|999|0")
    assert list(answer["pages"]) == ["2"]
    assert answer["badrevids"] == {
        "999": {"revid": 999, "missing": ""},
        "0": {"revid": 0, "missing": ""},
    }


def test_redirects_of_revisions_are_not_followed(site: Site) -> None:
    answer = ask(site, {"action": "query", "revids": "4", "redirects": ""})
    assert answer.warned == ["apiwarn-redirectsandrevids"]
    assert answer.data["query"]["pages"][0]["title"] == "To alpha"


def test_special_pages_go_by_the_name_that_is_shown(site: Site) -> None:
    answer = query(site, titles="Special:recentchanges|Special:Nonsense")
    assert answer["normalized"] == [
        {"from": "Special:recentchanges", "to": "Special:RecentChanges"}
    ]
    assert answer["pages"] == {
        "-1": {"ns": -1, "title": "Special:RecentChanges", "special": ""},
        "-2": {"ns": -1, "title": "Special:Nonsense", "special": "", "missing": ""},
    }


def test_variants_are_inert(site: Site) -> None:
    plain = query(site, titles="alpha|Nope")
    assert query(site, titles="alpha|Nope", converttitles="") == plain


@pytest.fixture(scope="module")
def serbian(make_module_site: Callable[..., Site]) -> Site:
    return make_module_site(
        {"Њива": "a", "Ливада": "#REDIRECT [[Њива]]", "Njegoš": "b", "Разговор:Њ": "c"},
        config={"site": {"language": "sr"}},
    )


def test_titles_in_another_variant(serbian: Site) -> None:
    answer = query(serbian, titles="njiva|Његош|Nema|Њива", converttitles="")
    assert answer["normalized"] == [{"from": "njiva", "to": "Njiva"}]
    assert answer["converted"] == [
        {"from": "Njiva", "to": "Њива"},
        {"from": "Његош", "to": "Njegoš"},
    ]
    assert {page["title"] for page in answer["pages"].values()} == {"Њива", "Njegoš", "Nema"}


def test_titles_are_converted_before_redirects_are_followed(serbian: Site) -> None:
    answer = query(serbian, titles="Livada", converttitles="", redirects="")
    assert answer["converted"] == [{"from": "Livada", "to": "Ливада"}]
    assert answer["redirects"] == [{"from": "Ливада", "to": "Њива"}]


def test_titles_are_converted_only_if_wanted(serbian: Site) -> None:
    assert "converted" not in query(serbian, titles="Njiva")
