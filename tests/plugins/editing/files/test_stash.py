"""Stashed uploads, uploads in chunks, and what tells of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.plugins.editing.files.uploadwiki import UploadWiki, png
from wikiapi.filerepo.folder import UploadFolder

DATA = png(60, 60) + bytes(3000)
"""A picture with something behind it, so that there are several chunks."""


def code(answer: dict[str, Any]) -> str:
    return answer["error"]["code"]


def send(wiki: UploadWiki, chunk: bytes, offset: int, **params: Any) -> dict[str, Any]:
    form = {"filename": "Big.png", "filesize": len(DATA), "stash": 1, "ignorewarnings": 1}
    files = {"chunk": ("blob", chunk)}
    return wiki.post("upload", files=files, offset=offset, **{**form, **params})


def test_a_stashed_file_is_published_later(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        stashed = wiki.upload("Dot.png", png(), stash=1)["upload"]
        assert stashed["result"] == "Success"
        assert stashed["filekey"] == stashed["sessionkey"]
        key = stashed["filekey"]
        assert f"Special:UploadStash/file/{key}" in stashed["imageinfo"]["url"]
        assert wiki.image("Dot.png") == []
        listed = wiki.query(list="mystashedfiles", msfprop="size|type")["mystashedfiles"]
        assert listed == [
            {
                "filekey": key, "status": "finished", "size": len(png()), "width": 4, "height": 3,
                "bits": 8, "mimetype": "image/png", "mediatype": "BITMAP",
            }
        ]  # fmt: skip
        asked = {"siifilekey": key, "siiprop": "size|sha1|url", "siiurlwidth": 2}
        infos = wiki.query(prop="stashimageinfo", **asked)["stashimageinfo"]
        assert infos[0]["sha1"] == stashed["imageinfo"]["sha1"]
        assert "/thumb/" in infos[0]["thumburl"]
        published = wiki.post("upload", filename="Dot.png", filekey=key, comment="now")["upload"]
        assert published["result"] == "Success"
        assert published["imageinfo"]["comment"] == "now"
        assert UploadFolder(wiki.site.config.files).current("Dot.png").read_bytes() == png()
        assert len(wiki.on_disk()) == 1
        again = wiki.post("upload", filename="Dot.png", filekey=key)
    assert code(again) == "uploadstash-file-not-found"


def test_the_stash_is_its_owners_only(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        key = wiki.upload("Dot.png", png(), stash=1)["upload"]["filekey"]
        assert code(wiki.post("upload", filename="A.png", filekey="../a")) == "invalid-file-key"
    with wiki.user("Bob"):
        refused = wiki.post("upload", filename="Dot.png", filekey=key)
        assert code(refused) == "uploadstash-wrong-owner"
        assert wiki.query(list="mystashedfiles")["mystashedfiles"] == []
        answer = wiki.query(prop="stashimageinfo", siifilekey=key)
        assert code(answer) == "uploadstash-file-not-found"
    refused = wiki.post("upload", filename="Dot.png", filekey=key)
    assert code(refused) == "uploadstash-not-logged-in"


def test_lists_of_stashed_files_continue(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        keys = [wiki.upload("A.png", png(n), stash=1)["upload"]["filekey"] for n in (2, 3, 4)]
        files = wiki.query(list="mystashedfiles", msflimit=2)["mystashedfiles"]
        assert [one["filekey"] for one in files] == keys[:2]
        rest = wiki.query(list="mystashedfiles", msfcontinue=3)["mystashedfiles"]
        assert [one["filekey"] for one in rest] == keys[2:]


def test_what_nobody_publishes_is_removed(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        wiki.upload("A.png", png(), stash=1)
        wiki.now += timedelta(hours=7)
        wiki.upload("B.png", png(9), stash=1)
        assert len(wiki.query(list="mystashedfiles")["mystashedfiles"]) == 1
    assert len(wiki.on_disk()) == 1


def test_a_file_in_chunks(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        first = send(wiki, DATA[:1024], 0)["upload"]
        key = first["filekey"]
        assert first == {"result": "Continue", "offset": 1024, "filekey": key}
        status = wiki.post("upload", filename="Big.png", filekey=key, checkstatus=1)["upload"]
        assert status == {"result": "Continue", "stage": "uploading", "offset": 1024}
        listed = wiki.query(list="mystashedfiles", msfprop="size")["mystashedfiles"]
        assert listed == [{"filekey": key, "status": "chunks", "size": 1024}]
        second = send(wiki, DATA[1024:2048], 1024, filekey=key)["upload"]
        assert second["offset"] == 2048
        last = send(wiki, DATA[2048:], 2048, filekey=key)["upload"]
        assert last["result"] == "Success"
        assert last["filekey"] != key
        assert last["imageinfo"]["size"] == len(DATA)
        done = wiki.post("upload", filename="Big.png", filekey=last["filekey"])["upload"]
    assert done["result"] == "Success"
    assert UploadFolder(wiki.site.config.files).current("Big.png").read_bytes() == DATA
    assert len(wiki.on_disk()) == 1


@pytest.mark.parametrize(
    ("chunk", "offset", "params", "expected"),
    [
        (DATA, 0, {"filesize": 10}, "invalid-chunk"),
        (DATA[:100], 0, {}, "chunk-too-small"),
        (b"<svg><script/></svg>", 0, {}, "chunk-too-small"),
        (DATA[:1024], 0, {"filekey": "a.b.c"}, "filekeynotallowed"),
        (DATA[:1024], 1024, {}, "filekeyneeded"),
        (DATA[:1024], 1024, {"filekey": "a.b.c"}, "uploadstash-file-not-found"),
        (b"<html>" + DATA[:1024], 0, {}, "verification-error"),
        (DATA[:1024], 0, {"filename": "A.exe"}, "illegal-filename"),
        (DATA[:1024], 0, {"filename": ".png"}, "illegal-filename"),
        (DATA[:1024], 0, {"filename": "A.png."}, "illegal-filename"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused_chunks(
    wiki: UploadWiki, chunk: bytes, offset: int, params: dict[str, Any], expected: str
) -> None:
    with wiki.user("Ada"):
        assert code(send(wiki, chunk, offset, **params)) == expected
    assert wiki.on_disk() == []


@pytest.mark.parametrize(("chunk", "params"), [(DATA[:100], {}), (DATA, {"filesize": 10})])
def test_warnings_come_before_the_sizes_of_chunks(
    wiki: UploadWiki, chunk: bytes, params: dict[str, Any]
) -> None:
    with wiki.user("Ada"):
        form = {"filename": "Big[.png", "ignorewarnings": None, **params}
        answer = send(wiki, chunk, 0, **form)["upload"]
        assert (answer["result"], answer["warnings"]) == ("Warning", {"badfilename": "Big-.png"})
        [listed] = wiki.query(list="mystashedfiles", msfprop="size")["mystashedfiles"]
    assert (listed["filekey"], listed["size"]) == (answer["filekey"], len(chunk))


def test_a_chunk_in_the_wrong_place_says_where_to_go_on(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        key = send(wiki, DATA[:1024], 0)["upload"]["filekey"]
        error = send(wiki, DATA[1025:2049], 1025, filekey=key)["error"]
    assert (error["code"], error["offset"]) == ("stashfailed", "1024")


def test_what_the_chunks_make_is_checked(wiki: UploadWiki) -> None:
    data = b"no picture" * 200
    with wiki.user("Ada"):
        key = send(wiki, data[:1024], 0, filesize=len(data))["upload"]["filekey"]
        answer = send(wiki, data[1024:], 1024, filekey=key, filesize=len(data))
    assert code(answer) == "stashfailed"
