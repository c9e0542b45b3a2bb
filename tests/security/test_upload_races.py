"""What a client tries that wants other data to be served than was checked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.editing.files.uploadwiki import ADMIN, UploadWiki, png
from wikiapi.filerepo.folder import FolderChanges, UploadFolder
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi_plugins.editing.files.filerevert import FileRevert
from wikiapi_plugins.editing.files.upload import Upload

HEAD = b"<svg xmlns='http://www.w3.org/2000/svg'><desc>"
SCRIPT = b"</desc><script>alert(1)</script></svg>".ljust(1024)
DRAWING = (HEAD + b"x" * 2048).ljust(3000, b"x") + b"</desc></svg>"
"""A drawing of several chunks."""
OTHER = b"y" * 1024


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[UploadWiki]:
    made = UploadWiki(tmp_path / "images", pages={}, editing={"upload_types": ["png", "svg"]})
    yield made
    made.site.db.close()


def send(wiki: UploadWiki, chunk: bytes, offset: int, size: int, **params: Any) -> dict[str, Any]:
    form = {"filename": "A.svg", "stash": 1, "ignorewarnings": 1, "filesize": size, **params}
    return wiki.post("upload", files={"chunk": ("blob", chunk)}, offset=offset, **form)


def publish(wiki: UploadWiki, key: str, name: str = "A.svg") -> dict[str, Any]:
    return wiki.post("upload", filename=name, filekey=key, ignorewarnings=1)


def code(answer: dict[str, Any]) -> str:
    return answer["error"]["code"]


def served(wiki: UploadWiki, name: str) -> bytes:
    path = UploadFolder(wiki.site.config.files).current(name).relative_to(wiki.folder)
    return InProcess(make_app(wiki.site), "192.0.2.1").send("GET", f"/images/{path}").body


def meanwhile(
    monkeypatch: pytest.MonkeyPatch, action: type[Any], step: Callable[[], object]
) -> list[object]:
    """Run a step once, between the checks of the next request and its transaction."""
    prepare, results = action.prepare, list[object]()

    def interrupted(self: Any) -> None:
        prepare(self)
        monkeypatch.setattr(action, "prepare", prepare)
        thread = threading.Thread(target=lambda: results.append(step()))
        thread.start()
        thread.join()

    monkeypatch.setattr(action, "prepare", interrupted)
    return results


def test_an_unfinished_upload_is_not_published(wiki: UploadWiki) -> None:
    benign = (HEAD + b"</desc></svg>").ljust(1024)
    with wiki.user("Ada"):
        key = send(wiki, benign, 0, 5120)["upload"]["filekey"]
        assert code(publish(wiki, key)) == "uploadstash-file-not-found"
        assert wiki.image("A.svg") == []
        # The upload goes on, and is checked when it is complete.
        assert send(wiki, b" " * 1024, 1024, 5120, filekey=key)["upload"]["offset"] == 2048
        assert code(send(wiki, b" " * 2048 + SCRIPT, 2048, 5120, filekey=key)) == "stashfailed"
        assert code(publish(wiki, key)) == "uploadstash-file-not-found"
    assert wiki.image("A.svg") == []


def test_no_chunk_is_added_to_what_is_complete_or_published(wiki: UploadWiki) -> None:
    size = len(DRAWING)
    with wiki.user("Ada"):
        first = send(wiki, DRAWING[:1024], 0, size)["upload"]["filekey"]
        done = send(wiki, DRAWING[1024:], 1024, size, filekey=first)["upload"]["filekey"]
        more = size + len(SCRIPT)
        for key, expected in ((first, "uploadstash-file-not-found"), (done, "stashfailed")):
            for offset in (1024, size):
                assert code(send(wiki, SCRIPT, offset, more, filekey=key)) == expected
        assert publish(wiki, done)["upload"]["result"] == "Success"
        for key in (first, done):
            answer = send(wiki, SCRIPT, size, more, filekey=key)
            assert code(answer) == "uploadstash-file-not-found"
    assert served(wiki, "A.svg") == DRAWING
    assert wiki.image("A.svg")[0]["size"] == size


def test_the_last_chunk_completes_an_upload_although_there_are_warnings(
    wiki: UploadWiki,
) -> None:
    size = len(DRAWING)
    with wiki.user("Ada"):
        wiki.upload("A.svg", HEAD + b"</desc></svg>", ignorewarnings=1)
        key = send(wiki, DRAWING[:1024], 0, size)["upload"]["filekey"]
        last = send(wiki, DRAWING[1024:], 1024, size, filekey=key, ignorewarnings=None)["upload"]
        assert (last["result"], last["warnings"]) == ("Warning", {"exists": "A.svg"})
        assert publish(wiki, last["filekey"])["upload"]["result"] == "Success"
    assert served(wiki, "A.svg") == DRAWING


def test_two_chunks_at_once(wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch) -> None:
    size, second = len(DRAWING), DRAWING[1024:2048]
    with wiki.user("Ada"):
        key = send(wiki, DRAWING[:1024], 0, size)["upload"]["filekey"]
        other = meanwhile(
            monkeypatch, Upload, lambda: send(wiki, second, 1024, size, filekey=key)["upload"]
        )
        answer = send(wiki, OTHER, 1024, size, filekey=key)
        assert (code(answer), answer["error"]["offset"]) == ("stashfailed", "2048")
        assert other == [{"result": "Continue", "offset": 2048, "filekey": key}]
        done = send(wiki, DRAWING[2048:], 2048, size, filekey=key)["upload"]["filekey"]
        publish(wiki, done)
    assert served(wiki, "A.svg") == DRAWING


def test_a_chunk_while_the_upload_is_completed(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(DRAWING)
    with wiki.user("Ada"):
        key = send(wiki, DRAWING[:1024], 0, size)["upload"]["filekey"]
        done = meanwhile(
            monkeypatch,
            Upload,
            lambda: send(wiki, DRAWING[1024:], 1024, size, filekey=key)["upload"]["filekey"],
        )
        late = send(wiki, OTHER, 1024, 4096, filekey=key)
        assert code(late) == "uploadstash-file-not-found"
        publish(wiki, str(done[0]))
    assert served(wiki, "A.svg") == DRAWING


def test_an_upload_is_completed_once(wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(DRAWING)
    with wiki.user("Ada"):
        key = send(wiki, DRAWING[:1024], 0, size)["upload"]["filekey"]
        last = {"chunk": DRAWING[1024:], "offset": 1024, "size": size, "filekey": key}
        done = meanwhile(monkeypatch, Upload, lambda: send(wiki, **last)["upload"]["filekey"])
        assert code(send(wiki, **last)) == "uploadstash-file-not-found"
        listed = wiki.query(list="mystashedfiles", msfprop="size")["mystashedfiles"]
    assert [(one["filekey"], one["size"]) for one in listed] == [(done[0], size)]


def test_a_key_is_published_once(wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch) -> None:
    with wiki.user("Ada"):
        key = wiki.upload("A.png", png(), stash=1)["upload"]["filekey"]
        other = meanwhile(monkeypatch, Upload, lambda: publish(wiki, key, "A.png")["upload"])
        assert code(publish(wiki, key, "B.png")) == "uploadstash-file-not-found"
    assert isinstance(other[0], dict)
    assert other[0]["result"] == "Success"
    assert wiki.image("B.png") == []
    assert served(wiki, "A.png") == png()


def test_a_key_of_another_user_is_of_no_use(wiki: UploadWiki) -> None:
    size = len(DRAWING)
    with wiki.user("Ada"):
        key = send(wiki, DRAWING[:1024], 0, size)["upload"]["filekey"]
    with wiki.user("Bob"):
        assert code(send(wiki, SCRIPT, 1024, size, filekey=key)) == "uploadstash-wrong-owner"
        assert code(publish(wiki, key)) == "uploadstash-wrong-owner"
    with wiki.user("Ada"):
        done = send(wiki, DRAWING[1024:], 1024, size, filekey=key)["upload"]["filekey"]
        publish(wiki, done)
    assert served(wiki, "A.svg") == DRAWING


def test_a_version_that_is_deleted_meanwhile_does_not_return(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wiki.user("Ada", ADMIN):
        wiki.upload("A.png", png(1))
        wiki.upload("A.png", png(2), ignorewarnings=1)
        old = wiki.image("A.png")[1]["archivename"]
        meanwhile(
            monkeypatch, FileRevert, lambda: wiki.post("delete", title="File:A.png", oldimage=old)
        )
        answer = wiki.post("filerevert", filename="A.png", archivename=old)
    assert code(answer) == "filerevert-badversion"
    assert served(wiki, "A.png") == png(2)


def test_a_deletion_waits_until_a_restoration_is_finished(
    wiki: UploadWiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restoration removes the deleted data last; a deletion must not count on it until then."""
    finish, begin = FolderChanges.commit, FolderChanges._begin
    threads: list[threading.Thread] = []
    has_come = threading.Event()

    def delete() -> None:
        wiki.post("delete", title="File:A.png")

    def finishing(changes: FolderChanges) -> None:
        if not threads:
            threads.append(threading.Thread(target=delete))
            threads[0].start()
            assert has_come.wait(60)
        finish(changes)

    def beginning(changes: FolderChanges) -> None:
        if threads:
            has_come.set()
        begin(changes)

    with wiki.user("Ada", ADMIN):
        wiki.upload("A.png", png())
        wiki.post("delete", title="File:A.png")
        monkeypatch.setattr(FolderChanges, "commit", finishing)
        monkeypatch.setattr(FolderChanges, "_begin", beginning)
        wiki.post("undelete", title="File:A.png")
        threads[0].join()
        assert wiki.image("A.png") == []
        answer = wiki.post("undelete", title="File:A.png")
    assert answer["undelete"]["fileversions"] == 1
    assert served(wiki, "A.png") == png()
