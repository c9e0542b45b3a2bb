"""``action=upload`` in one piece: what is written, what is warned of, who may not."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.plugins.editing.files.uploadwiki import RIGHTS, UploadWiki, png
from wikiapi.filerepo.folder import UploadFolder
from wikiapi.pages.saving import PageWriter
from wikiapi.store.models import RecentChanges, SiteStats
from wikiapi.store.models.writing import WatchlistExpiry


def code(answer: dict[str, dict[str, str]]) -> str:
    return answer["error"]["code"]


def images(wiki: UploadWiki) -> int:
    return int(wiki.site.db.scalar(SiteStats.select(SiteStats.ss_images)))


def test_a_new_file_gets_data_page_log_and_change(wiki: UploadWiki) -> None:
    data, before = png(), images(wiki)
    with wiki.user("Ada"):
        answer = wiki.upload("New.png", data, comment="mine", text="of [[Category:Dots]]")
    assert "upload" in answer, answer
    file = answer["upload"]
    assert (file["result"], file["filename"]) == ("Success", "New.png")
    info = file["imageinfo"]
    assert (info["size"], info["width"], info["height"]) == (len(data), 4, 3)
    assert info["sha1"] == hashlib.sha1(data).hexdigest()
    assert "descriptionshorturl" not in info
    path = UploadFolder(wiki.site.config.files).current("New.png")
    assert path.read_bytes() == data
    assert [str(path.relative_to(wiki.folder))] == wiki.on_disk()
    asked = {"titles": "File:New.png", "prop": "revisions|categories|fileusage"}
    page = wiki.query(**asked, rvprop="content|comment|user", rvslots="main")["pages"][0]
    revision = page["revisions"][0]
    assert revision["slots"]["main"]["content"] == "of [[Category:Dots]]"
    assert (revision["comment"], revision["user"]) == ("mine", "Ada")
    assert [category["title"] for category in page["categories"]] == ["Category:Dots"]
    assert [user["title"] for user in page["fileusage"]] == ["Home"]
    events = wiki.query(list="logevents", leprop="ids|type|details|comment|title")["logevents"]
    upload = next(event for event in events if event["type"] == "upload")
    assert upload["action"] == "upload"
    assert upload["params"]["img_timestamp"] == info["timestamp"]
    assert upload["comment"] == "mine"
    assert upload["pageid"] == page["pageid"]
    changes = wiki.site.db.execute(
        RecentChanges.select(RecentChanges.rc_log_action, RecentChanges.rc_this_oldid)
    )
    assert [row for row in changes if row[0] == "upload"] == [("upload", upload["revid"])]
    assert images(wiki) == before + 1


def test_data_is_on_disk_before_the_store_names_it(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    folder = UploadFolder(wiki.site.config.files)
    with wiki.user("Ada"):
        for colour in range(3):
            # The first ones make the folders, whose names are synced as well.
            synced.clear()
            wiki.upload("New.png", png(colour=colour), ignorewarnings=1)
    old = folder.archived("New.png", wiki.image("New.png")[1]["archivename"])
    places = (folder.current("New.png"), old.parent, folder.staged("New.png", "").parent)
    # Nothing else waits for the disk: the old data has been there since its own upload.
    assert synced == [place.stat().st_ino for place in places]


def test_a_new_version_archives_the_old_one(wiki: UploadWiki) -> None:
    first, second = png(colour=1), png(colour=2)
    with wiki.user("Ada"):
        wiki.upload("New.png", first, comment="one")
        thumbnails = UploadFolder(wiki.site.config.files).thumbnails("New.png")
        thumbnails.mkdir(parents=True)
        (thumbnails / "20px-New.png").write_bytes(b"old")
        before = images(wiki)
        answer = wiki.upload("New.png", second, comment="two", ignorewarnings=1)
    assert answer["upload"]["warnings"] == {"exists": "New.png"}
    assert "descriptionshorturl" in answer["upload"]["imageinfo"]
    current, old = wiki.image("New.png")
    assert (current["comment"], old["comment"]) == ("two", "one")
    assert old["archivename"].endswith("!New.png")
    folder = UploadFolder(wiki.site.config.files)
    assert folder.current("New.png").read_bytes() == second
    assert folder.archived("New.png", old["archivename"]).read_bytes() == first
    assert not thumbnails.exists()
    assert images(wiki) == before
    asked = {"titles": "File:New.png", "prop": "revisions", "rvlimit": 5}
    revisions = wiki.query(**asked, rvprop="comment|size")["pages"][0]["revisions"]
    assert revisions[0]["comment"] == "Ada uploaded a new version of [[File:New.png]]"
    assert revisions[0]["size"] == revisions[1]["size"]
    event = wiki.query(list="logevents", letype="upload", lelimit=1)["logevents"][0]
    assert event["action"] == "overwrite"


def test_the_same_content_again_is_no_new_version(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        wiki.upload("New.png", png())
        warned = wiki.upload("New.png", png())["upload"]
        refused = wiki.upload("New.png", png(), ignorewarnings=1)
    assert set(warned["warnings"]) == {"exists", "nochange"}
    assert code(refused) == "fileexists-no-change"
    assert refused["error"]["stasherrors"][0]["code"] == "uploadstash-exception"
    assert len(wiki.image("New.png")) == 1


def test_warnings(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        wiki.upload("New.png", png())

        def warnings_of(name: str, data: bytes) -> dict[str, object]:
            answer = wiki.upload(name, data)["upload"]
            assert answer["result"] == "Warning"
            assert answer["filekey"] == answer["sessionkey"]
            return answer["warnings"]

        assert warnings_of("Other.png", png()) == {"duplicate": ["New.png"]}
        assert warnings_of("Described.png", png(9)) == {"page-exists": "Described.png"}
        assert warnings_of("New.PNG", png(9)) == {"exists-normalized": "New.png"}
        assert warnings_of("120px-New.png", png(9)) == {"thumb": "120px-New.png"}
        assert warnings_of("120px-No.png", png(9)) == {"thumb-name": "120px-No.png"}
        assert warnings_of("DSC_1.png", png(9)) == {"bad-prefix": "DSC_1.png"}
        assert warnings_of("File:a[b.png", png(9)) == {"badfilename": "File-a-b.png"}
        assert warnings_of("File:x/y.png", png(9)) == {"badfilename": "X-y.png"}
        assert warnings_of("a\\b/y.png", png(9)) == {"badfilename": "A-b-y.png"}
        wiki.upload("New.png", png(9), ignorewarnings=1)
        again = warnings_of("New.png", png())
    assert set(again) == {"exists", "duplicateversions"}


def test_a_small_first_letter_is_no_bad_name(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        assert wiki.upload("some dot.png", png())["upload"]["filename"] == "Some_dot.png"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("A.png", b"", "empty-file"),
        ("A.png", b"not a picture", "verification-error"),
        ("A.png", png()[:20], "verification-error"),
        ("A.exe", png(), "verification-error"),
        ("A.php.png", png(), "filetype-banned"),
        ("A.tif", b"II*\0" + bytes(20), "verification-error"),
        (".png", png(), "filename-tooshort"),
        (".hidden.png", png(), "illegal-filename"),
        ("a&amp;b.png", png(), "illegal-filename"),
        ("A" * 250 + ".png", png(), "filename-toolong"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals(wiki: UploadWiki, name: str, data: bytes, expected: str) -> None:
    with wiki.user("Ada"):
        answer = wiki.upload(name, data, ignorewarnings=1)
    assert code(answer) == expected
    if expected in ("illegal-filename", "filename-toolong"):
        assert answer["error"]["invalidparameter"] == "filename"
        assert answer["error"]["filekey"]


def test_a_name_without_extension_gets_one(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        answer = wiki.upload("Dot", png(), ignorewarnings=1)["upload"]
    assert (answer["filename"], answer["warnings"]) == ("Dot.png", {"badfilename": "Dot.png"})


def test_what_the_request_lacks(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        assert code(wiki.post("upload", filename="A.png")) == "missingparam"
        both = wiki.upload("A.png", png(), filekey="a.b")
        assert code(both) == "invalidparammix"
        nameless = wiki.post("upload", files={"file": ("x.png", png())})
        assert code(nameless) == "nofilename"
        assert code(wiki.post("upload", filename="A.png", file="text")) == "badupload"
        by_address = wiki.post("upload", filename="A.png", url="http://127.0.0.1/a.png")
        assert code(by_address) == "copyuploaddisabled"


def test_who_may_not(wiki: UploadWiki) -> None:
    assert code(wiki.upload("A.png", png())) == "mustbeloggedin"
    with wiki.user("Ada", RIGHTS - {"upload"}):
        assert code(wiki.upload("A.png", png())) == "permissiondenied"
    with wiki.user("Ada"):
        wiki.upload("A.png", png())
    with wiki.user("Bob", RIGHTS - {"reupload"}):
        refused = wiki.upload("A.png", png(9), ignorewarnings=1)
        assert code(refused) == "fileexists-forbidden"
    with wiki.user("Ada", RIGHTS - {"reupload"} | {"reupload-own"}):
        assert wiki.upload("A.png", png(9), ignorewarnings=1)["upload"]["result"] == "Success"


def test_all_reasons_against_the_edit_and_the_upload_are_told(wiki: UploadWiki) -> None:
    with wiki.user("Ada", RIGHTS | {"protect", "editprotected"}):
        for colour in (1, 2):
            wiki.upload("Held.png", png(colour=colour), ignorewarnings="1")
        protections = "edit=sysop|upload=sysop|move=sysop"
        assert "protect" in wiki.post("protect", title="File:Held.png", protections=protections)
    old = wiki.image("Held.png")[1]["archivename"]
    with wiki.user("Bob", RIGHTS | {"writeapi"}):
        answers = [
            wiki.upload("Held.png", png(colour=3), ignorewarnings="1", errorformat="raw"),
            wiki.post("filerevert", filename="Held.png", archivename=old, errorformat="raw"),
        ]
    for answer in answers:
        errors = [(error["key"], error["params"]) for error in answer["errors"]]
        needed = "editprotected"
        assert errors == [("protectedpagetext", [needed, what]) for what in ("edit", "upload")]


def test_without_a_folder_there_are_no_uploads(wiki: UploadWiki) -> None:
    object.__setattr__(wiki.site.config.files, "folder", "")
    with wiki.user("Ada"):
        assert code(wiki.upload("A.png", png())) == "uploaddisabled"


def test_a_failure_leaves_store_and_folder_as_they_were(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wiki.user("Ada"):
        wiki.upload("New.png", png(), comment="one")
        before, files = wiki.on_disk(), wiki.image("New.png")

        def fail(*_: object) -> None:
            raise RuntimeError("in the middle")

        monkeypatch.setattr(PageWriter, "save", fail)
        answer = wiki.upload("New.png", png(9), ignorewarnings=1)
    assert code(answer).startswith("internal_api_error")
    assert wiki.on_disk() == before
    assert wiki.image("New.png") == files
    folder = UploadFolder(wiki.site.config.files)
    assert folder.current("New.png").read_bytes() == png()


def test_data_that_a_crash_left_waiting_takes_its_place(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wiki.user("Ada"):
        wiki.upload("New.png", png(1))
        with monkeypatch.context() as patch:
            patch.setattr(UploadFolder, "settle", lambda *_: None)
            wiki.upload("New.png", png(2), ignorewarnings=1)
        folder = UploadFolder(wiki.site.config.files)
        assert folder.current("New.png").read_bytes() == png(1)
        wiki.upload("New.png", png(3), ignorewarnings=1)
    assert folder.current("New.png").read_bytes() == png(3)
    _, second, first = wiki.image("New.png")
    assert folder.archived("New.png", second["archivename"]).read_bytes() == png(2)
    assert folder.archived("New.png", first["archivename"]).read_bytes() == png(1)


def test_watching_for_a_while(tmp_path: Path) -> None:
    wiki = UploadWiki(tmp_path / "images", pages={}, editing={"watchlist_expiry": True})
    with wiki.user("Ada"):
        wiki.upload("New.png", png(), watchlist="watch", watchlistexpiry="1 week")
    ends = wiki.site.db.execute(WatchlistExpiry.select(WatchlistExpiry.we_expiry))
    assert {end for (end,) in ends} == {"20261128120001"}
    wiki.site.db.close()


def test_uploads_can_be_disabled(wiki: UploadWiki) -> None:
    object.__setattr__(wiki.site.config.files, "uploads", False)
    with wiki.user("Ada"):
        assert code(wiki.upload("A.png", png())) == "uploaddisabled"


def test_a_comment_becomes_the_text_with_its_space(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        assert "upload" in wiki.upload("New.png", png(), comment="  space  ")
    asked = {"titles": "File:New.png", "prop": "revisions", "rvprop": "content|comment"}
    revision = wiki.query(**asked, rvslots="main")["pages"][0]["revisions"][0]
    assert revision["slots"]["main"]["content"] == "  space"
    assert revision["comment"] == "space"


def test_the_warning_shows_a_file_as_readers_of_pages_with_it_have_seen_it(
    wiki: UploadWiki,
) -> None:
    with wiki.user("Ada"):
        first = wiki.upload("New.png", png(colour=2))["upload"]["imageinfo"]["html"]
        again = wiki.upload("New.png", png(colour=3), ignorewarnings=1)["upload"]["imageinfo"]
        other = wiki.upload("Other.png", png(colour=4))["upload"]["imageinfo"]["html"]
    assert "mw-broken-media" in first
    assert "New.png" in first
    for html in (again["html"], other):
        assert "mw-broken-media" not in html
        assert "<img" in html
