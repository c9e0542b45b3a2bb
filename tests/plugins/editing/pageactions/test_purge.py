"""Purging pages."""

from __future__ import annotations

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.store.models import PageLinks

PAGES = {"Alpha": "[[Beta]] {{:Beta}}", "Beta": "b", "Way": "#REDIRECT [[Alpha]]"}


def test_pages_are_purged_and_others_are_named() -> None:
    wiki = Actors(PAGES, interwiki={"de": "https://de.example/$1"})
    before = wiki.query(titles="Alpha", prop="info")["pages"][0]["touched"]
    answer = wiki.act("", "purge", titles="Alpha|de:X|Missing|a[b|Special:Version").data
    assert answer["purge"] == [
        {"title": "a[b", "invalidreason": answer["purge"][0]["invalidreason"], "invalid": True},
        {"ns": -1, "title": "Special:Version", "special": True},
        {"ns": 0, "title": "Missing", "missing": True},
        {"title": "de:X", "iw": "de"},
        {"ns": 0, "title": "Alpha", "purged": True},
    ]
    assert "interwiki" not in answer
    assert wiki.query(titles="Alpha", prop="info")["pages"][0]["touched"] > before


def test_titles_that_are_no_pages_come_in_their_order() -> None:
    wiki = Actors(PAGES, interwiki={"de": "https://de.example/wiki/$1"})
    answer = wiki.act("", "purge", titles="alpha|de:X|Missing|Special:X").data
    assert [item["title"] for item in answer["purge"]] == [
        *("Special:X", "Missing", "de:X", "Alpha"),
    ]
    assert [item["from"] for item in answer["normalized"]] == ["alpha"]
    assert "interwiki" not in answer


def test_links_are_derived_again() -> None:
    wiki = Actors(PAGES)
    wiki.site.db.execute_write(PageLinks.delete())
    answer = wiki.act("Ada", "purge", titles="Way", redirects=1, forcelinkupdate=1).data
    assert answer["purge"] == [{"ns": 0, "title": "Alpha", "purged": True, "linkupdate": True}]
    assert answer["redirects"] == [{"from": "Way", "to": "Alpha"}]
    links = wiki.query(titles="Alpha", prop="links")["pages"][0]["links"]
    assert links == [{"ns": 0, "title": "Beta"}]


def test_links_of_users_are_derived_again() -> None:
    wiki = Actors(PAGES)
    wiki.site.db.execute_write(PageLinks.delete())
    wiki.act("Ada", "purge", pageids="2|99", forcerecursivelinkupdate=1)
    assert wiki.query(titles="Alpha", prop="links")["pages"][0]["links"]
