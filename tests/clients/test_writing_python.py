"""mwclient and Pywikibot change a wiki in the ways that their documentation shows."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.clients.writingwiki import PICTURE, SECRET, declared, needs
from wikiapi.testing import Wiki
from wikiapi.testing.bots import mwclient_site, pywikibot_site

pytestmark = pytest.mark.slow


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    with Wiki(declared(tmp_path)) as made:
        yield made


@pytest.fixture
def site(wiki: Wiki) -> Any:
    """Return a site of mwclient, with the rights of an administrator."""
    pytest.importorskip("mwclient")
    return mwclient_site(wiki, "Ada")


@pytest.fixture
def bot(wiki: Wiki) -> Any:
    """Return a site of Pywikibot, with the rights of an administrator."""
    try:
        return pywikibot_site(wiki, "Ada")
    except ImportError as error:
        pytest.skip(f"no Pywikibot: {error}")


def logged(wiki: Wiki) -> list[tuple[str, str, str]]:
    entries = wiki.get(action="query", list="logevents", lelimit=9)["query"]["logevents"]
    return [(entry["type"], entry["action"], entry["title"]) for entry in entries]


# mwclient


def test_mwclient_logs_in_with_a_bot_password(wiki: Wiki) -> None:
    pytest.importorskip("mwclient")
    site = mwclient_site(wiki, "")
    site.login("Ada@bot", SECRET)
    assert site.username == "Ada"
    site.pages["Tea"].append(" Very.")
    assert wiki.text("Tea") == "It is hot. Very."


def test_mwclient_edits(wiki: Wiki, site: Any) -> None:
    page = site.pages["Tea"]
    page.edit("It is cold.", summary="cooled", minor=True)
    page.prepend("Tea: ")
    page.edit("Milk.", section="new", summary="With milk")
    assert wiki.text("Tea") == "Tea: It is cold.\n\n== With milk ==\n\nMilk."
    comments = [revision["comment"] for revision in page.revisions()]
    assert (comments[0], comments[2]) == ("/* With milk */ new section", "cooled")
    site.pages["Water"].edit("Wet.", "new")
    assert ("create", "create", "Water") in logged(wiki)


def test_mwclient_sees_a_conflict(wiki: Wiki, site: Any) -> None:
    import mwclient

    page = site.pages["Tea"]
    page.text()
    wiki.clock.advance(minutes=5)
    wiki.edit("Tea", "Somebody else.", user="Bob")
    with pytest.raises(
        (mwclient.errors.EditError, mwclient.errors.APIError), match=r"conflict|meantime"
    ):
        page.edit("Mine.")
    assert wiki.text("Tea") == "Somebody else."


def test_mwclient_moves(wiki: Wiki, site: Any) -> None:
    needs("move")
    site.pages["Tea"].move("Green tea", reason="exact", move_talk=True)
    assert wiki.text("Green tea") == "It is hot."
    assert wiki.text("Tea") == "#REDIRECT [[Green tea]]"
    assert wiki.text("Talk:Green tea") == "Is it?"
    assert ("move", "move", "Tea") in logged(wiki)


def test_mwclient_deletes(wiki: Wiki, site: Any) -> None:
    needs("delete")
    site.pages["Spam"].delete(reason="spam")
    assert wiki.text("Spam") is None
    assert not site.pages["Spam"].exists
    assert logged(wiki) == [("delete", "delete", "Spam")]


def test_mwclient_purges(site: Any) -> None:
    needs("purge")
    site.pages["Tea"].purge()


def test_mwclient_uploads(wiki: Wiki, site: Any) -> None:
    needs("upload")
    site.upload(BytesIO(PICTURE), filename="Dot.png", description="A dot.", comment="new")
    image = site.images["Dot.png"]
    assert (image.imageinfo["width"], image.imageinfo["height"]) == (1, 1)
    assert BytesIO(image.download()).read() == PICTURE
    assert "A dot." in str(wiki.text("File:Dot.png"))


def test_mwclient_protects_with_a_request(wiki: Wiki, site: Any) -> None:
    needs("protect")
    site.post(
        "protect", title="Tea", protections="edit=sysop|move=sysop", token=site.get_token("csrf")
    )
    assert site.pages["Tea"].protection["edit"][0] == "sysop"
    other = mwclient_site(wiki, "Bob")
    assert not other.pages["Tea"].can("edit")


def test_mwclient_patrols_and_watches_with_requests(wiki: Wiki, site: Any) -> None:
    needs("patrol", "watch")
    mwclient_site(wiki, "Bob").pages["Tea"].edit("Bob's.")
    change = next(site.recentchanges(prop="ids|patrolled|title"))
    site.post("patrol", rcid=change["rcid"], token=site.get_token("patrol"))
    site.post("watch", titles="Tea", token=site.get_token("watch"))
    assert {page["title"] for page in site.watchlist()} == {"Tea", "Talk:Tea"}


# Pywikibot


def page_of(bot: Any, title: str) -> Any:
    import pywikibot

    return pywikibot.Page(bot, title)


def test_pywikibot_edits(wiki: Wiki, bot: Any) -> None:
    page = page_of(bot, "Tea")
    page.text = "It is cold."
    page.save("cooled")
    assert wiki.text("Tea") == "It is cold."
    created = page_of(bot, "Water")
    created.put("Wet.", summary="new", minor=False)
    assert page_of(bot, "Water").oldest_revision.user == "Ada"


def test_pywikibot_sees_a_conflict(wiki: Wiki, bot: Any) -> None:
    from pywikibot.exceptions import EditConflictError

    page = page_of(bot, "Tea")
    page.text = page.text.replace("hot", "cold")
    wiki.clock.advance(minutes=5)
    wiki.edit("Tea", "Somebody else.", user="Bob")
    with pytest.raises(EditConflictError):
        page.save("cooled")
    assert wiki.text("Tea") == "Somebody else."


def test_pywikibot_touches_and_purges(wiki: Wiki, bot: Any) -> None:
    needs("purge")
    page = page_of(bot, "Tea")
    page.touch()
    assert page.purge()
    assert wiki.text("Tea") == "It is hot."


def test_pywikibot_moves(wiki: Wiki, bot: Any) -> None:
    needs("move")
    moved = page_of(bot, "Tea").move("Green tea", summary="exact", noredirect=True)
    assert moved.title() == "Green tea"
    assert (wiki.text("Tea"), wiki.text("Green tea")) == (None, "It is hot.")


def test_pywikibot_deletes_and_restores(wiki: Wiki, bot: Any) -> None:
    needs("delete", "undelete")
    page = page_of(bot, "Spam")
    page.delete(summary="spam", prompt=False)
    assert wiki.text("Spam") is None
    page = page_of(bot, "Spam")
    page.undelete(summary="not spam")
    assert wiki.text("Spam") == "Buy!"


def test_pywikibot_protects(bot: Any) -> None:
    needs("protect")
    page = page_of(bot, "Tea")
    page.protect(summary="often", protections={"edit": "sysop", "move": "sysop"})
    page.clear_cache()
    assert page.protection()["edit"][0] == "sysop"


def test_pywikibot_watches(bot: Any) -> None:
    needs("watch")
    assert page_of(bot, "Tea").watch()
    assert [page.title() for page in bot.watched_pages()][:1] == ["Tea"]


def test_pywikibot_patrols(wiki: Wiki, bot: Any) -> None:
    needs("patrol")
    wiki.login("Bob").write(action="edit", title="Tea", text="Bob's.")
    (change,) = list(bot.recentchanges(total=1))
    patrolled = list(bot.patrol(rcid=change["rcid"]))
    assert [entry["title"] for entry in patrolled] == ["Tea"]


def test_pywikibot_uploads(wiki: Wiki, bot: Any, tmp_path: Path) -> None:
    needs("upload")
    import pywikibot

    source = tmp_path / "dot.png"
    source.write_bytes(PICTURE)
    page = pywikibot.FilePage(bot, "File:Dot.png")
    page.text = "A dot."
    assert page.upload(str(source), ignore_warnings=True)
    assert pywikibot.FilePage(bot, "File:Dot.png").latest_file_info.size == len(PICTURE)
