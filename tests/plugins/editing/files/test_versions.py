"""Reverting, deleting, restoring and moving files."""

from __future__ import annotations

import errno
import hashlib
from typing import Any

import pytest

from tests.plugins.editing.files.uploadwiki import ADMIN, RIGHTS, UploadWiki, png
from wikiapi.api.registries import registries
from wikiapi.api.writing import WriteAction
from wikiapi.errors import ApiError
from wikiapi.filerepo.folder import UploadFolder
from wikiapi.store.models import OldImage, Page, SiteStats
from wikiapi.store.queries.visibility import TEXT
from wikiapi.title import FILE
from wikiapi_plugins.editing.files.pagefiles import PageFiles

CONTENTS = (png(1), png(2), png(3))


@pytest.fixture
def filled(wiki: UploadWiki) -> UploadWiki:
    with wiki.user("Ada"):
        for data in CONTENTS:
            wiki.upload("New.png", data, ignorewarnings=1)
    return wiki


def title_of(wiki: UploadWiki, name: str = "New.png") -> Any:
    return wiki.site.titles.make(FILE, name)


def perform(wiki: UploadWiki, step: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a step as an action would that deletes, restores or moves a page."""
    done: list[Any] = []

    def run(action: WriteAction) -> None:
        done.append(step(PageFiles(action)))

    with wiki.user("Ada", ADMIN), monkeypatch.context() as patch:
        patch.setattr(registries(wiki.site).actions["filerevert"], "prepare", lambda _: None)
        patch.setattr(registries(wiki.site).actions["filerevert"], "perform", run)
        answer = wiki.post("filerevert", filename="x", archivename="x")
    if "error" in answer:
        return answer["error"]["code"]
    return done[0]


def images(wiki: UploadWiki) -> int:
    return int(wiki.site.db.scalar(SiteStats.select(SiteStats.ss_images)))


def test_reverting(filled: UploadWiki) -> None:
    first = filled.image("New.png")[-1]
    with filled.user("Ada"):
        old = {"filename": "New.png", "archivename": first["archivename"]}
        answer = filled.post("filerevert", **old, comment="back")
        assert answer == {"filerevert": {"result": "Success"}}
        again = filled.post("filerevert", **old)["filerevert"]
    assert again["result"] == "Failure"
    assert again["errors"][0]["code"] == "fileexists-no-change"
    current = filled.image("New.png")[0]
    assert (current["sha1"], current["comment"]) == (first["sha1"], "back")
    assert len(filled.image("New.png")) == 4
    path = UploadFolder(filled.site.config.files).current("New.png")
    assert path.read_bytes() == CONTENTS[0]
    event = filled.query(list="logevents", letype="upload", lelimit=1)["logevents"][0]
    assert event["action"] == "revert"


def test_what_cannot_be_reverted(filled: UploadWiki) -> None:
    old = filled.image("New.png")[1]["archivename"]

    def code(name: str, archive_name: str) -> str:
        answer = filled.post("filerevert", filename=name, archivename=archive_name)
        return answer["error"]["code"]

    with filled.user("Ada"):
        assert code("No.png", old) == "missingtitle"
        assert code("New.png", "20200101000000!New.png") == "filerevert-badversion"
        assert code("a[b", old) == "invalidtitle"
    with filled.user("Bob", RIGHTS - {"reupload"}):
        assert code("New.png", old) == "permissiondenied"
    assert code("New.png", old) == "permissiondenied"


def test_deleting_and_restoring_all_versions(
    filled: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, count, title = filled.image("New.png"), images(filled), title_of(filled)
    assert perform(filled, lambda files: files.delete(title, "gone"), monkeypatch) == 3
    assert filled.image("New.png") == []
    assert images(filled) == count - 1
    paths = filled.on_disk()
    assert len(paths) == 3
    assert all(path.startswith("deleted/") for path in paths)
    listed = filled.query(list="filearchive", faprop="sha1")["filearchive"]
    assert {one["sha1"] for one in listed} == {one["sha1"] for one in before}
    with filled.user("Ada"):
        warned = filled.upload("Other.png", CONTENTS[2])["upload"]["warnings"]
    assert warned == {"duplicate-archive": "New.png"}
    assert perform(filled, lambda files: files.restore(title), monkeypatch) == 3
    after = filled.image("New.png")
    assert [one["sha1"] for one in after] == [one["sha1"] for one in before]
    assert images(filled) == count
    folder = UploadFolder(filled.site.config.files)
    assert folder.current("New.png").read_bytes() == CONTENTS[2]
    assert folder.archived("New.png", after[1]["archivename"]).read_bytes() == CONTENTS[1]
    assert not any(path.startswith("deleted/") for path in filled.on_disk())


def test_deleting_one_version_and_restoring_it_by_its_id(
    filled: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, old = title_of(filled), filled.image("New.png")[1]

    def delete(files: PageFiles) -> int:
        return files.delete_old(title, old["archivename"], "why", ())

    perform(filled, delete, monkeypatch)
    assert len(filled.image("New.png")) == 2
    event = filled.query(list="logevents", letype="delete")["logevents"][0]
    assert event["comment"] == f"Deleted old revision {old['archivename']}: why"
    assert perform(filled, delete, monkeypatch) == "nodeleteablefile"
    bad = perform(filled, lambda files: files.delete_old(title, "../x", ""), monkeypatch)
    assert bad == "invalidoldimage"
    with filled.user("Ada", ADMIN):
        number = filled.query(list="filearchive")["filearchive"][0]["id"]
    for ids in ([99], [99, number]):
        unknown = perform(filled, lambda files, ids=ids: files.restore(title, ids), monkeypatch)
        assert unknown == 0
    assert perform(filled, lambda files: files.restore(title, [number]), monkeypatch) == 1
    assert [one["sha1"] for one in filled.image("New.png")][1] == old["sha1"]


def test_moving(filled: UploadWiki, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = title_of(filled), title_of(filled, "Moved.png")
    before = filled.image("New.png")
    assert perform(filled, lambda files: files.move(old, new), monkeypatch) == 3
    assert filled.image("New.png") == []
    after = filled.image("Moved.png")
    assert [one["sha1"] for one in after] == [one["sha1"] for one in before]
    assert after[1]["archivename"] == before[1]["archivename"].replace("New", "Moved")
    folder = UploadFolder(filled.site.config.files)
    assert folder.current("Moved.png").read_bytes() == CONTENTS[2]
    assert folder.archived("Moved.png", after[1]["archivename"]).read_bytes() == CONTENTS[1]
    assert not any("New" in path for path in filled.on_disk())


def test_where_a_file_cannot_be_moved(filled: UploadWiki, monkeypatch: pytest.MonkeyPatch) -> None:
    def reasons(name: str) -> list[str]:
        new = title_of(filled, name)

        def ask(files: PageFiles) -> list[str]:
            return [message.key for message in files.obstacles(title_of(filled), new)]

        return perform(filled, ask, monkeypatch)

    assert reasons("Moved.png") == []
    assert reasons("Moved.jpg") == ["imagetypemismatch"]
    assert reasons("A/b.png") == ["imageinvalidfilename"]


def test_a_refused_deletion_changes_nothing(
    filled: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, paths = filled.image("New.png"), filled.on_disk()

    def step(files: PageFiles) -> None:
        files.delete(title_of(filled), "")
        raise ApiError("refused", "refused")

    assert perform(filled, step, monkeypatch) == "refused"
    assert filled.image("New.png") == before
    assert filled.on_disk() == paths


def test_the_file_goes_and_returns_with_its_page(filled: UploadWiki) -> None:
    with filled.user("Ada", ADMIN):
        assert "logid" in filled.post("delete", title="File:New.png", reason="out")["delete"]
        assert filled.image("New.png") == []
        answer = filled.post("undelete", title="File:New.png")["undelete"]
    assert (answer["revisions"], answer["fileversions"]) == (3, 3)
    assert len(filled.image("New.png")) == 3


def test_one_earlier_version_is_deleted(filled: UploadWiki) -> None:
    name = filled.image("New.png")[-1]["archivename"]
    with filled.user("Ada", ADMIN):
        answer = filled.post("delete", title="File:New.png", oldimage=name)
    assert "logid" in answer["delete"]
    assert [version.get("archivename") for version in filled.image("New.png")].count(name) == 0
    assert len(filled.image("New.png")) == 2


def test_a_file_moves_with_its_page(filled: UploadWiki) -> None:
    with filled.user("Ada", ADMIN | {"move"}):
        target = {"to": "File:Other.png", "ignorewarnings": 1}
        moved = filled.post("move", **{"from": "File:New.png"}, **target)
        assert "error" not in moved, moved
        refused = filled.post("move", **{"from": "File:Other.png", "to": "File:Other.txt"})
    assert refused["error"]["code"] == "filetypemismatch"
    assert len(filled.image("Other.png")) == 3


def test_a_file_without_a_page_is_deleted(filled: UploadWiki) -> None:
    with filled.user("Ada", ADMIN):
        assert "delete" in filled.post("delete", title="File:New.png", reason="first")
        kept = filled.upload("Bare.png", png(9))["upload"]
        assert kept["result"] == "Success"
        bare = Page.delete().where(Page.page_title == "Bare.png")
        filled.site.db.execute_write(bare)
        done = filled.post("delete", title="File:Bare.png", reason="no page")["delete"]
        assert (done["title"], done["reason"]) == ("File:Bare.png", "no page")
        again = filled.post("delete", title="File:Bare.png", reason="again")
    assert again["error"]["code"] == "missingtitle"
    query = {"list": "logevents", "letype": "delete", "leprop": "ids|title|comment"}
    [entry] = filled.query(**query, letitle="File:Bare.png")["logevents"]
    assert (entry["logid"], entry["pageid"], entry["comment"]) == (done["logid"], 0, "no page")
    assert images(filled) == 0


def test_what_fails_after_the_commit_is_made_up_for(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version is there: an error would tell the client to send it again."""

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "the disk is broken")

    with wiki.user("Ada"), monkeypatch.context() as patch:
        patch.setattr(UploadFolder, "settle", fail)
        answer = wiki.upload("New.png", png(4), ignorewarnings=1)
    assert answer["upload"]["result"] == "Success"
    with wiki.user("Ada"):
        wiki.upload("New.png", png(5), ignorewarnings=1)
    folder = UploadFolder(wiki.site.config.files)
    archived = wiki.image("New.png")[1]["archivename"]
    assert folder.archived("New.png", archived).read_bytes() == png(4)


def test_a_disk_that_syncs_nothing_is_no_place_for_a_file(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "the disk is broken")

    with wiki.user("Ada"), monkeypatch.context() as patch:
        patch.setattr("os.fsync", fail)
        assert "error" in wiki.upload("New.png", png(1), ignorewarnings=1)
    assert not wiki.site.files.local.existing(["New.png"])


def test_a_hidden_version_does_not_return_by_a_revert(filled: UploadWiki) -> None:
    old = filled.image("New.png")[1]["archivename"]
    chosen = OldImage.update(oi_deleted=TEXT).where(OldImage.oi_archive_name == old)
    filled.site.db.execute_write(chosen)
    with filled.user("Ada"):
        answer = filled.post("filerevert", filename="New.png", archivename=old)
    assert answer["error"]["code"] == "filerevert-badversion"
    assert len(filled.image("New.png")) == 3


def test_a_reverted_version_is_described_by_its_bytes(filled: UploadWiki) -> None:
    """The data on disk is not what the row says, and is no picture."""
    old = filled.image("New.png")[1]["archivename"]
    data = b"damaged"
    path = UploadFolder(filled.site.config.files).archived("New.png", old)
    path.unlink()
    path.write_bytes(data)
    with filled.user("Ada"):
        answer = filled.post("filerevert", filename="New.png", archivename=old)
    assert answer == {"filerevert": {"result": "Success"}}
    current = filled.image("New.png")[0]
    assert (current["size"], current["sha1"]) == (len(data), hashlib.sha1(data).hexdigest())
    folder = UploadFolder(filled.site.config.files)
    assert folder.current("New.png").read_bytes() == data


def test_what_a_crash_left_under_a_name_is_replaced(filled: UploadWiki) -> None:
    folder = UploadFolder(filled.site.config.files)
    moved = folder.archived("Other.png", filled.image("New.png")[1]["archivename"])
    moved = moved.with_name(moved.name.replace("New", "Other"))
    moved.parent.mkdir(parents=True, exist_ok=True)
    moved.write_bytes(b"left by a crash")
    before = filled.image("New.png")
    with filled.user("Ada", ADMIN | {"move"}):
        titles = {"from": "File:New.png", "to": "File:Other.png"}
        assert "error" not in filled.post("move", **titles, ignorewarnings=1)
    after = filled.image("Other.png")
    assert [one["sha1"] for one in after] == [one["sha1"] for one in before]
    assert hashlib.sha1(moved.read_bytes()).hexdigest() == after[1]["sha1"]
