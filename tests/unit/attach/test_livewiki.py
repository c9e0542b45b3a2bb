"""Settings of a wiki that is served on this machine are those that it was given."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.attach.wikis import INSTALLED
from wikiapi.attach.livewiki import LiveWiki, take_over
from wikiapi.attach.tomlfile import completed
from wikiapi.config import parse_config
from wikiapi.errors import DumpError
from wikiapi.importing.live.client import LiveApi
from wikiapi.testing import Wiki
from wikiapi.testing.declaration import Declaration

CONFIG: dict[str, Any] = {
    "site": {
        "name": "Théière",
        "project_namespace": "Samovar",
        "wiki_id": "tea",
        "language": "fr",
        "timezone": "Europe/Paris",
        "script_path": "/mw",
        "article_path": "/tea/$1",
        "capital_links": False,
        "main_subpages": True,
        "rights_url": "https://x.example/licence",
        "rights_text": "A licence",
        "main_page": "Accueil",
    },
    "wikitext": {
        "magic_links": ["ISBN"],
        "external_images": ["http://x.example/"],
        "no_follow": False,
        "no_follow_domains": ["x.example"],
        "no_follow_namespaces": [10],
        "external_link_target": "_blank",
        "interwiki_magic": False,
    },
    "files": {
        "uploads": False,
        "thumb_limits": [100, 200],
        "thumb_size": 1,
        "image_limits": [[320, 240], [640, 480]],
        "image_size": 0,
    },
    "gallery": {"images_per_row": 3, "mode": "packed", "show_bytes": False},
    "limits": {"article_size": 1000000, "miser": True},
    "editing": {"upload_bytes": 1000, "min_chunk_bytes": 5},
    "permissions": {"anonymous_rights": ["read"], "groups": {"brewers": ["edit"]}},
    "namespaces": [
        {"id": 4, "aliases": ["S"]},
        {"id": 12, "includable": False},
        {"id": 100, "name": "Portail", "canonical": "Portal", "subpages": True, "content": True},
        {"id": 101, "name": "Discussion Portail"},
        {"id": 102, "name": "Thé", "first_letter": True, "content_model": "json"},
    ],
}


@pytest.fixture(scope="module")
def live() -> Iterator[LiveWiki]:
    with Wiki(Declaration(pages={"Accueil": "x", "B": "y"}, config=CONFIG)) as wiki:
        yield LiveWiki(LiveApi(f"{wiki.url}/mw/api.php", wait=lambda _: None))


def test_settings_are_taken_over(live: LiveWiki) -> None:
    takeover = take_over(live, INSTALLED)
    settings = takeover.settings
    for table, values in CONFIG.items():
        if isinstance(values, dict):
            for name, value in values.items():
                taken = settings.get(table, {}).get(name)
                if name == "groups":  # which has those of the wiki without plugins as well
                    taken = {group: taken[group] for group in value}
                assert taken == value or f"{table}.{name}" in takeover.defaults, (table, name)
    assert settings["site"]["source"].endswith("/tea/Accueil")
    assert "server" not in settings["site"]
    listed = {entry["id"]: entry for entry in settings["namespaces"]}
    assert [listed.get(entry["id"]) for entry in CONFIG["namespaces"]] == CONFIG["namespaces"]
    assert set(listed) == {4, 12, 100, 101, 102}
    assert parse_config(tomllib.loads(completed("", settings)))


def test_numbers_are_compared(live: LiveWiki) -> None:
    with Wiki(Declaration(pages={"A": "x"})) as wiki:
        assert list(live.differences(wiki.site.db)) == [
            "the live wiki has 2 pages, the store 1",
        ]


def test_words_are_listed(live: LiveWiki) -> None:
    assert "<nowiki>" in live.words("extensiontags")
    assert "if" in live.words("functionhooks")


class Answering(LiveApi):
    """An API with an answer of its own."""

    def __init__(self, query: Any) -> None:
        super().__init__("http://x.example/api.php")
        self.query_part = query

    def ask(self, params: Any) -> dict[str, Any]:
        return {"query": self.query_part}


def taken(query: Any) -> Any:
    return take_over(LiveWiki(Answering(query)), INSTALLED)


def test_a_wiki_that_says_little() -> None:
    takeover = taken({"general": {"sitename": "Old", "lang": "klingon"}})
    assert takeover.settings["site"] == {"name": "Old"}


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "x" * 1001, "\u2028"])
def test_texts_that_are_refused(name: str) -> None:
    takeover = taken({"general": {"sitename": name, "timezone": "Moon"}})
    assert "site" not in takeover.settings
    assert takeover.missing[0] == "sitename: a text with unusual characters"
    assert takeover.missing[1].startswith("timezone: site.timezone is 'Moon'; permitted: ")


@pytest.mark.parametrize(
    "query",
    [
        [],
        {"general": []},
        {"general": {"sitename": 5}},
        {"general": {"magiclinks": "x"}},
        {"general": {"imagelimits": [5]}},
        {"general": {"galleryoptions": {"imageWidth": -1}}},
        {"namespaces": {"0": {"id": "x"}}},
        {"namespaces": 5},
        {"usergroups": [{"name": 5}]},
        {"interwikimap": [5]},
        {"extensions": [{"name": {}}]},
        {"defaultoptions": "x"},
    ],
)
def test_answers_that_cannot_be_used(query: Any) -> None:
    if query in ([], {"general": []}):
        taken(query)
        return
    with pytest.raises(DumpError, match="cannot be used"):
        taken(query)
