"""Pywikibot changes a wiki with each of its methods that write. README.md lists them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.clients.writingwiki import PICTURE, declared, needs
from wikiapi.store.models import User
from wikiapi.testing import RequestFailed, Wiki
from wikiapi.testing.bots import pywikibot_site

pytestmark = pytest.mark.slow


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    with Wiki(declared(tmp_path)) as made:
        yield made


@pytest.fixture
def bot(wiki: Wiki) -> Any:
    """Return a site of Pywikibot, with the rights of an administrator."""
    try:
        return pywikibot_site(wiki, "Ada")
    except ImportError as error:
        pytest.skip(f"no Pywikibot: {error}")


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


def test_pywikibot_saves_only_what_is_new_or_there(wiki: Wiki, bot: Any) -> None:
    from pywikibot.exceptions import NoCreateError, OtherPageSaveError, PageCreatedConflictError

    page_of(bot, "Empty").save(createonly=True)
    assert wiki.text("Empty") == ""
    with pytest.raises(PageCreatedConflictError):
        page_of(bot, "Tea").save(createonly=True)
    with pytest.raises(NoCreateError):
        page_of(bot, "Water").save(nocreate=True)
    with pytest.raises(OtherPageSaveError, match="doesn't exist"):
        page_of(bot, "Water").save(recreate=False)
    assert wiki.text("Water") is None


def test_pywikibot_saves_later(wiki: Wiki, bot: Any) -> None:
    from pywikibot import page_put_queue

    results: list[tuple[Any, Any]] = []
    page = page_of(bot, "Tea")
    page.text = "It is cold."
    page.save(asynchronous=True, callback=lambda saved, error: results.append((saved, error)))
    page_put_queue.join()
    assert wiki.text("Tea") == "It is cold."
    assert results == [(page, None)]


def test_pywikibot_appends_and_sections(wiki: Wiki, bot: Any) -> None:
    page = page_of(bot, "Tea")
    bot.editpage(page, appendtext=" Very.")
    assert wiki.text("Tea") == "It is hot. Very."
    bot.editpage(page, text="With milk?", section="new", summary="Milk")
    assert wiki.text("Tea") == "It is hot. Very.\n\n== Milk ==\n\nWith milk?"


def test_pywikibot_does_not_edit_when_it_touches(wiki: Wiki, bot: Any) -> None:
    page = page_of(bot, "Tea")
    page.text += "More."
    page.touch()
    assert page.get(force=True) == wiki.text("Tea") == "It is hot."


def test_pywikibot_learns_that_it_may_not(wiki: Wiki, bot: Any) -> None:
    import pywikibot
    from pywikibot.exceptions import LockedPageError

    page_of(bot, "Tea").protect(summary="often", protections={"edit": "sysop"})
    other = pywikibot_site(wiki, "Bob")
    page = pywikibot.Page(other, "Tea")
    page.text = "Bob's."
    with pytest.raises(LockedPageError):
        page.save()


def test_pywikibot_takes_edits_back(wiki: Wiki, bot: Any) -> None:
    bob = wiki.login("Bob")
    for text in ("It is cold.", "It is ice."):
        bob.write(action="edit", title="Tea", text=text)
    page = page_of(bot, "Tea")
    bot.editpage(page, undo=page.latest_revision_id)
    assert wiki.text("Tea") == "It is cold."
    bob.write(action="edit", title="Tea", text="Bob's.")
    page = page_of(bot, "Tea")
    done = page.rollback()
    assert done["title"] == "Tea"
    assert wiki.text("Tea") == "It is cold."


def test_pywikibot_does_not_move_a_page_onto_itself(bot: Any) -> None:
    from pywikibot.exceptions import Error, NoPageError

    with pytest.raises(Error):
        bot.movepage(page_of(bot, "Tea"), "Tea", "why")
    with pytest.raises(NoPageError):
        bot.movepage(page_of(bot, "Water"), "Tea", "why")


def test_pywikibot_merges_histories(wiki: Wiki, bot: Any) -> None:
    from pywikibot.exceptions import Error

    source, moments = page_of(bot, "Source"), []
    for text in ("one", "two"):
        source.text = text
        source.save()
        moments.append(source.latest_revision.timestamp)
        wiki.clock.advance(minutes=1)
    target = page_of(bot, "Target")
    target.text = "three"
    target.save()
    for pair in ((source, source), (page_of(bot, "Water"), source), (source, page_of(bot, "X"))):
        with pytest.raises(Error):
            bot.merge_history(*pair)
    bot.merge_history(source, target, moments[0])
    assert page_of(bot, "Target").revision_count() == 2
    assert page_of(bot, "Source").revision_count() == 1


def test_pywikibot_hides_revisions(wiki: Wiki, bot: Any) -> None:
    bob = wiki.login("Bob")
    revision = bob.write(action="edit", title="Tea", text="Bob's.")["edit"]["newrevid"]
    bob.write(action="edit", title="Tea", text="Hot.")
    bot.deleterevs("revision", revision, hide="content|user", reason="private", target="Tea")
    query = {"action": "query", "revids": revision, "prop": "revisions", "rvprop": "content|user"}
    [page] = wiki.new_client().get(query, rvslots="main")["query"]["pages"]
    assert page["revisions"][0]["userhidden"] is True
    assert page["revisions"][0]["slots"]["main"]["texthidden"] is True


def test_pywikibot_blocks(wiki: Wiki, bot: Any) -> None:
    import pywikibot

    bob = pywikibot.User(bot, "Bob")
    bob.block(expiry="1 day", reason="vandal", anononly=False)
    assert bob.is_blocked(refresh=True)
    with pytest.raises(RequestFailed) as refused:
        wiki.login("Bob").write(action="edit", title="Tea", text="Bob's.")
    assert refused.value.code == "blocked"
    # User.unblock() asks for a right that MediaWiki does not have either.
    fields = {"action": "unblock", "user": "Bob", "token": bot.tokens["csrf"]}
    bot.simple_request(**fields).submit()
    assert not bob.is_blocked(refresh=True)


def test_pywikibot_mails(wiki: Wiki, bot: Any) -> None:
    import pywikibot

    update = User.update(user_email="x@example.org", user_email_authenticated="20250101000000")
    wiki.site.db.execute_write(update)
    bob = pywikibot.User(bot, "Bob")
    assert bob.isEmailable()
    assert bob.send_email("Hello", "How are you?")


def test_pywikibot_sets_groups_and_preferences_with_requests(wiki: Wiki, bot: Any) -> None:
    fields = {"action": "options", "change": "gender=female", "token": bot.tokens["csrf"]}
    bot.simple_request(**fields).submit()
    fields = {"action": "userrights", "user": "Bob", "add": "bot"}
    done = bot.simple_request(**fields, token=bot.tokens["userrights"]).submit()
    assert done["userrights"]["user"] == "Bob"
    options = wiki.login("Ada").get(action="query", meta="userinfo", uiprop="options")
    assert options["query"]["userinfo"]["options"]["gender"] == "female"


def test_pywikibot_stops_watching(bot: Any) -> None:
    page = page_of(bot, "Tea")
    assert page.watch()
    assert page.watch(unwatch=True)
    assert list(bot.watched_pages()) == []


def test_pywikibot_changes_categories(wiki: Wiki, bot: Any) -> None:
    import pywikibot

    page = page_of(bot, "Tea")
    page.text += "[[Category:Hot]]"
    page.save()
    page.change_category(pywikibot.Category(bot, "Hot"), pywikibot.Category(bot, "Drinks"))
    assert wiki.text("Tea") == "It is hot.[[Category:Drinks]]"
    assert list(pywikibot.Category(bot, "Drinks").articles()) == [page]


def test_pywikibot_uploads_in_chunks_and_from_the_stash(bot: Any, tmp_path: Path) -> None:
    import pywikibot

    source = tmp_path / "noise.png"
    Image.effect_noise((64, 64), 50).save(source)
    page = pywikibot.FilePage(bot, "File:Noise.png")
    assert page.upload(str(source), summary="noise", chunk_size=1024, ignore_warnings=True)
    assert page.latest_file_info.size == source.stat().st_size
    other = pywikibot.FilePage(bot, "File:Again.png")
    seen: list[str] = []

    def refuse(warnings: Any) -> bool:
        seen.extend(warning.code for warning in warnings)
        return False

    assert not other.upload(str(source), summary="again", ignore_warnings=refuse)
    assert "duplicate" in seen
