"""Tests of ``stubs.py``, and examples of other tests with mwclient."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.testing import DeclaredFile, DeclaredUser, Edit, Wiki

mwclient = pytest.importorskip("mwclient")
from stubs import Stub, stubs  # noqa: E402

pytestmark = pytest.mark.wiki(
    {
        "Tea": "Tea is hot. [[Category:Drinks]]",
        "Coffee": [
            Edit("Black. [[Category:Drinks]]", user="Ada"),
            Edit("Black and hot. [[Category:Drinks]]", user="Bob", comment="taste"),
        ],
        "Lemonade": "Lemonade is cold. [[Category:Drinks]]" + " Very." * 20,
        "Chai": "#REDIRECT [[Tea]] [[Category:Drinks]]",
        "File:Cup.png": "A cup. [[Category:Drinks]]",
    },
    users=[DeclaredUser("Ada", groups=("sysop",)), "Bob"],
    files=[DeclaredFile("Cup.png", 320, 200)],
)


@pytest.fixture(params=["mwclient_site", "inprocess_site"])
def site(request: pytest.FixtureRequest) -> Any:
    """Return the wiki over a port, and in process."""
    return request.getfixturevalue(request.param)


def test_short_pages_are_found(site: Any) -> None:
    """Redirects and long pages are not included."""
    assert sorted(stubs(site, "Drinks"), key=lambda stub: stub.title) == [
        Stub("Coffee", 34, "Bob"),
        Stub("File:Cup.png", 26, "192.0.2.1"),
        Stub("Tea", 31, "192.0.2.1"),
    ]


def test_a_page_that_grows_is_a_stub_no_longer(wiki: Wiki, site: Any) -> None:
    """Pages change between two requests."""
    assert "Tea" in {stub.title for stub in stubs(site, "Drinks")}
    wiki.edit("Tea", "Tea is hot. [[Category:Drinks]]" + " Very." * 20, user="Ada")
    assert "Tea" not in {stub.title for stub in stubs(site, "Drinks")}


def test_lists_continue(site: Any) -> None:
    """Each request returns a single page."""
    pages = site.allpages(api_chunk_size=1, filterredir="nonredirects")
    assert [page.name for page in pages] == ["Coffee", "Lemonade", "Tea"]


def test_history(wiki: Wiki, site: Any) -> None:
    """Revisions have the time of the wiki's clock."""
    wiki.clock.set("2026-02-03T04:05:06Z")
    wiki.edit("Coffee", "Cold.", user="Ada", comment="cooled")
    revisions = list(site.pages["Coffee"].revisions())
    assert [revision["user"] for revision in revisions] == ["Ada", "Bob", "Ada"]
    assert tuple(revisions[0]["timestamp"])[:6] == (2026, 2, 3, 4, 5, 6)


def test_recent_changes_and_logs(wiki: Wiki, site: Any) -> None:
    """A bot for patrolling sees edits, moves and deletions."""
    wiki.edit("Water", "Wet.", user="Bob")
    wiki.clock.advance(minutes=5)
    wiki.move("Water", "Ice", user="Ada", reason="frozen")
    wiki.clock.advance(minutes=5)
    wiki.delete("Tea", user="Ada", reason="spilt")
    entries = [(e["type"], e["title"], e["user"]) for e in site.logevents()]
    assert entries == [("delete", "Tea", "Ada"), ("move", "Water", "Ada")]
    changes = {(c["type"], c["title"]) for c in site.recentchanges()}
    assert {("log", "Tea"), ("log", "Water")} <= changes
    assert not site.pages["Tea"].exists


def test_files(site: Any) -> None:
    """Declared files have their size."""
    info = site.images["Cup.png"].imageinfo
    assert (info["width"], info["height"]) == (320, 200)


def test_a_bot_edits(wiki: Wiki, site: Any) -> None:
    """The edit of a bot is a revision of its user."""
    page = site.pages["Tea"]
    page.edit(page.text().replace("hot", "warm"), summary="cooler")
    assert wiki.text("Tea") == "Tea is warm. [[Category:Drinks]]"
    revision = next(page.revisions())
    assert (revision["user"], revision["comment"]) == ("Ada", "cooler")


def test_a_bot_does_not_overwrite_others(wiki: Wiki, site: Any) -> None:
    """An edit conflict is an error of the client, and the wiki is unchanged."""
    wiki.trouble("editconflict")
    with pytest.raises(mwclient.errors.EditError):
        site.pages["Tea"].edit("Mine!")
    assert wiki.text("Tea") == "Tea is hot. [[Category:Drinks]]"


@pytest.mark.wiki(writable=False)
def test_a_wiki_that_is_read_only(wiki: Wiki, mwclient_site: Any) -> None:
    """A bot that writes receives an error."""
    with pytest.raises(mwclient.errors.APIError, match="readonly"):
        mwclient_site.pages["Tea"].edit("Mine!", summary="vandalised")
