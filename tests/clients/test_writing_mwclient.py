"""mwclient changes a wiki with each of its methods that write. README.md lists them."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.clients.writingwiki import PICTURE, SECRET, declared, needs
from wikiapi.store.models import User
from wikiapi.testing import Declaration, Wiki
from wikiapi.testing.bots import mwclient_site

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


def test_mwclient_patrols_and_watches(wiki: Wiki, site: Any) -> None:
    needs("patrol", "watch")
    mwclient_site(wiki, "Bob").pages["Tea"].edit("Bob's.")
    change = next(site.recentchanges(prop="ids|patrolled|title"))
    assert site.patrol(rcid=change["rcid"])["title"] == "Tea"
    site.post("watch", titles="Tea", token=site.get_token("watch"))
    assert {page["title"] for page in site.watchlist()} == {"Tea", "Talk:Tea"}


def test_mwclient_logs_in_step_by_step(wiki: Wiki) -> None:
    import mwclient

    site = mwclient_site(wiki, "")
    for log_in in (site.login, site.clientlogin):
        with pytest.raises(mwclient.errors.LoginError):
            log_in(username="Bob", password="wrong")
    site.clientlogin(username="Bob", password="Bob-password")
    assert site.logged_in
    site.pages["Water"].edit("Wet.", "new")
    assert site.pages["Water"].text() == "Wet."


def test_mwclient_learns_that_it_may_not(wiki: Wiki) -> None:
    import mwclient

    config = {"permissions": {"anonymous_rights": ["read", "createaccount"]}}
    with Wiki(Declaration(pages={"Tea": "hot"}, config=config)) as closed:
        site = mwclient_site(closed, "")
        with pytest.raises(mwclient.errors.ProtectedPageError):
            site.pages["Water"].edit("Wet.", "new")
    site = mwclient_site(wiki, "Bob")
    with pytest.raises(mwclient.errors.APIError) as refused:
        site.post("delete", title="Tea", token=site.get_token("csrf"))
    assert refused.value.code == "permissiondenied"
    assert wiki.text("Tea") == "It is hot."


def test_mwclient_expands(site: Any) -> None:
    text, tree = site.expandtemplates("{{CURRENTYEAR}}", generatexml=True)
    assert text == "2026"
    assert tree == "<root><template><title>CURRENTYEAR</title></template></root>"


def test_mwclient_touches(wiki: Wiki, site: Any) -> None:
    site.pages["Tea"].touch()
    assert wiki.text("Tea") == "It is hot."
    assert len(list(site.pages["Tea"].revisions())) == 1


def test_mwclient_moves_without_a_redirect(wiki: Wiki, site: Any) -> None:
    site.pages["Tea"].move("Green tea", move_talk=False, no_redirect=True)
    assert (wiki.text("Tea"), wiki.text("Green tea")) == (None, "It is hot.")
    assert wiki.text("Talk:Tea") == "Is it?"


def test_mwclient_uploads_in_chunks(wiki: Wiki, site: Any) -> None:
    noise = BytesIO()
    Image.effect_noise((64, 64), 50).save(noise, "png")
    site.chunk_size = 1024
    done = site.upload(
        BytesIO(noise.getvalue()), filename="Noise.png", description="Noise.", ignore=True
    )
    assert done["upload"]["result"] == "Success"
    assert BytesIO(site.images["Noise.png"].download()).read() == noise.getvalue()
    assert len([write for write in wiki.writes if write.action == "upload"]) > 3


def test_mwclient_is_warned_of_an_upload(site: Any) -> None:
    for name in ("Dot.png", "Other.png"):
        done = site.upload(BytesIO(PICTURE), filename=name, description="A dot.")
    assert done["warnings"]["duplicate"] == ["Dot.png"]


def test_mwclient_mails(wiki: Wiki, site: Any) -> None:
    update = User.update(user_email="x@example.org", user_email_authenticated="20250101000000")
    wiki.site.db.execute_write(update)
    assert site.email("Bob", "How are you?", "Hello")["emailuser"]["result"] == "Success"


def test_mwclient_takes_edits_back_with_requests(wiki: Wiki, site: Any) -> None:
    bob = mwclient_site(wiki, "Bob")
    for text in ("It is cold.", "It is ice."):
        bob.pages["Tea"].edit(text)
    latest = site.pages["Tea"].revision
    site.post("edit", title="Tea", undo=latest, token=site.get_token("csrf"))
    assert wiki.text("Tea") == "It is cold."
    bob.pages["Tea"].edit("Bob's.")
    site.post("rollback", title="Tea", user="Bob", token=site.get_token("rollback"))
    assert wiki.text("Tea") == "It is cold."
    tags = [revision["tags"] for revision in site.pages["Tea"].revisions(prop="tags")]
    assert tags[:4] == [["mw-rollback"], ["mw-reverted"], ["mw-undo"], ["mw-reverted"]]


def test_mwclient_blocks_and_grants_with_requests(wiki: Wiki, site: Any) -> None:
    import mwclient

    token = site.get_token("csrf")
    site.post("block", user="Bob", expiry="1 day", reason="vandal", token=token)
    [block] = list(site.blocks(users="Bob"))
    assert (block["user"], block["reason"]) == ("Bob", "vandal")
    bob = mwclient_site(wiki, "Bob")
    with pytest.raises(mwclient.errors.UserBlocked):
        bob.pages["Tea"].edit("Bob's.")
    site.post("unblock", user="Bob", token=token)
    bob.pages["Tea"].edit("Bob's.")
    params = {"user": "Bob", "add": "rollback|bot", "token": site.get_token("userrights")}
    site.post("userrights", **params)
    [user] = list(site.users(["Bob"]))
    assert "bot" not in user["groups"]  # only bureaucrats may
    bob.post("options", change="gender=female", token=bob.get_token("csrf"))
    answer = bob.get("query", meta="userinfo", uiprop="options")
    assert answer["query"]["userinfo"]["options"]["gender"] == "female"
