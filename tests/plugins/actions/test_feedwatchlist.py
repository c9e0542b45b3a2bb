from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import ask

CREATOR = "{http://purl.org/dc/elements/1.1/}creator"


@pytest.fixture(scope="module")
def wiki() -> Actors:
    """Return a wiki in which Ada watches two pages that others have changed."""
    wiki = Actors({"Alpha": "x", "Beta": "x", "Gamma": "x"})
    wiki.act("Ada", "watch", titles="Alpha|Beta")
    wiki.act("Bob", "edit", title="Alpha", text="1", summary="/* A part */ <b>one</b>")
    wiki.act("Bob", "edit", title="Alpha", text="2", summary="two")
    wiki.act("Bob", "edit", title="Gamma", text="3", summary="three")
    wiki.act("Admin", "delete", title="Beta", reason="four")
    return wiki


def items(wiki: Actors, name: str = "Ada", **params: str) -> list[ET.Element]:
    fields = {"action": "feedwatchlist", **params}
    raw = ask(wiki.site, fields, user=wiki.users.get(name)).context.result.raw
    assert raw is not None
    return ET.fromstring(raw.body).findall(".//item")


def texts(entries: list[ET.Element], tag: str) -> list[str | None]:
    return [entry.findtext(tag) for entry in entries]


def test_the_latest_change_of_each_watched_page_is_an_entry(wiki: Actors) -> None:
    entries = items(wiki)
    assert texts(entries, "title") == ["Beta", "Alpha"]
    assert texts(entries, "description") == ["four (Admin)", "two (Bob)"]
    assert texts(entries, CREATOR) == ["Admin", "Bob"]
    log, edit = texts(entries, "link")
    server = wiki.site.config.site.server
    assert log == f"{server}/w/index.php?title=Special:Log&logid=1"
    assert edit == f"{server}/w/index.php?title=Alpha&diff=5"


def test_all_changes_of_a_page(wiki: Actors) -> None:
    entries = items(wiki, allrev="1", wltype="edit")
    assert texts(entries, "description") == [
        "two (Bob)",
        "/* A part */ &lt;b&gt;one&lt;/b&gt; (Bob)",
    ]


def test_links_to_sections(wiki: Actors) -> None:
    links = texts(items(wiki, allrev="1", wltype="edit", linktosections="1"), "link")
    assert [str(link).partition("#")[2] for link in links] == ["", "A_part"]


def test_changes_can_be_left_out(wiki: Actors) -> None:
    assert texts(items(wiki, wlexcludeuser="Admin"), "title") == ["Alpha"]
    assert texts(items(wiki, wlshow="!bot", wltype="log"), "title") == ["Beta"]


def test_older_changes_are_left_out(wiki: Actors) -> None:
    later = Actors({"Alpha": "x"})
    later.act("Ada", "watch", titles="Alpha")
    later.act("Bob", "edit", title="Alpha", text="1")
    assert len(items(later, hours="1")) == 1
    later.clock.advance(2 * 3600)
    assert items(later, hours="1") == []
    assert len(items(later, hours="3")) == 1


@pytest.mark.parametrize(
    ("name", "params", "code"),
    [
        ("", {}, "notloggedin"),
        ("Bob", {"wlowner": "Ada", "wltoken": "x"}, "bad_wltoken"),
        ("Bob", {"wlowner": "Nobody", "wltoken": "x"}, "bad_wlowner"),
        ("Ada", {"wlshow": "patrolled"}, "permissiondenied"),
        ("Ada", {"wlshow": "bot|!bot"}, "show"),
    ],
)
def test_errors_are_the_only_entry(
    name: str, params: dict[str, str], code: str, wiki: Actors
) -> None:
    (entry,) = items(wiki, name, **params)
    assert entry.findtext("title") == f"Error ({code})"
    assert entry.findtext("description")
