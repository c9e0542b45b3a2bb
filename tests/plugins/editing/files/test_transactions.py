"""What takes long happens before the transaction, which keeps everybody else from writing."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.editing.files.uploadwiki import ADMIN, UploadWiki, png
from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.fetching import connections
from wikiapi.filerepo import Description, File, Thumbnail, ThumbRequest
from wikiapi.hookspecs import hookimpl
from wikiapi.importing.files import mediafile
from wikiapi_plugins.editing.files import filerevert, filetypes, upload, verification

DRAWING = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>"
RIGHTS = ADMIN | {"upload_by_url"}


class SharedRepository:
    """A repository on another server, which has no files."""

    name = "shared"
    is_local = False
    is_remote = True

    def __init__(self, asked: Callable[[], None]) -> None:
        self._asked = asked

    def find(self, names: Iterable[str]) -> Mapping[str, File]:
        self._asked()
        return {}

    def by_sha1(self, hashes: Iterable[str]) -> Mapping[str, Sequence[File]]:
        self._asked()
        return {}

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> Sequence[Thumbnail | None]:
        return [None for _ in requests]

    def descriptions(self, files: Sequence[File]) -> Sequence[Description]:
        return []

    def info(self) -> Mapping[str, Any]:
        return {}


class WatchedWiki(UploadWiki):
    """A wiki that notes the work that is done, and which of it in a transaction."""

    def __init__(self, folder: Path, **tables: Any) -> None:
        self.done: list[str] = []
        self.in_transaction: list[str] = []
        super().__init__(folder, pages={}, **tables)

    @hookimpl
    def register_file_repositories(self, site: Any) -> list[SharedRepository]:
        return [SharedRepository(lambda: self.note("asking a shared repository"))]

    def note(self, work: str) -> None:
        self.done.append(work)
        if self.site.db._thread.session is not None:
            self.in_transaction.append(work)

    def watch(self, patch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        original = getattr(owner, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            self.note(name)
            return original(*args, **kwargs)

        patch.setattr(owner, name, watched)


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedWiki]:
    editing = {"upload_types": ["png", "svg"], "upload_hosts": ["127.0.0.*"]}
    made = WatchedWiki(tmp_path / "images", editing=editing)
    for owner, name in (
        (upload, "fetch"),
        (verification, "read_media"),
        (filerevert, "read_media"),
        (verification, "check_svg"),
        (verification, "XmlFeed"),
        (mediafile.workers, "run"),
        (hashlib, "file_digest"),
        (filetypes, "type_of"),
        (filetypes, "has_script"),
        (upload, "page_text"),
        (filerevert, "page_text"),
        (Path, "write_bytes"),
    ):
        made.watch(monkeypatch, owner, name)
    fsync = os.fsync

    def synced(handle: int) -> None:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            made.note("fsync")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", synced)
    yield made
    made.site.db.close()


def test_uploads(wiki: WatchedWiki) -> None:
    with wiki.user("Ada", RIGHTS):
        for name, data in (("A.png", png()), ("A.svg", DRAWING)):
            wiki.upload(name, data)
        key = wiki.upload("B.png", png(9), stash=1)["upload"]["filekey"]
        published = wiki.post("upload", filename="B.png", filekey=key)["upload"]
    assert published["result"] == "Success"
    assert {"check_svg", "read_media", "run", "file_digest", "fsync", "page_text"} <= set(wiki.done)
    assert "asking a shared repository" in wiki.done
    assert wiki.in_transaction == []


def test_refused_uploads(wiki: WatchedWiki) -> None:
    with wiki.user("Ada", RIGHTS):
        answer = wiki.upload("a[b.png" + "x" * 300, png())
        assert answer["error"]["filekey"]
        wiki.upload("A.png", png())
        assert wiki.upload("A.png", png(), ignorewarnings=1)["error"]["stasherrors"]
    assert wiki.in_transaction == []


def test_chunks(wiki: WatchedWiki) -> None:
    data = DRAWING.ljust(3000)
    chunk = {"filename": "A.svg", "filesize": 3000, "stash": 1, "ignorewarnings": 1}
    with wiki.user("Ada", RIGHTS):
        parts = {"chunk": ("blob", data[:2000])}
        key = wiki.post("upload", files=parts, offset=0, **chunk)["upload"]["filekey"]
        wiki.done.clear()
        parts = {"chunk": ("blob", data[2000:])}
        last = wiki.post("upload", files=parts, offset=2000, filekey=key, **chunk)["upload"]
    assert last["result"] == "Success"
    assert {"check_svg", "read_media", "fsync"} <= set(wiki.done)
    assert wiki.in_transaction == []


def test_addresses(wiki: WatchedWiki, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "is_public", lambda address: True)
    with raw_server(lambda _, send: send(http(png()))) as address, wiki.user("Ada", RIGHTS):
        answer = wiki.post("upload", filename="A.png", url=address)
    assert answer["upload"]["result"] == "Success"
    assert "fetch" in wiki.done
    assert wiki.in_transaction == []


def test_reverting_and_rotating(wiki: WatchedWiki) -> None:
    with wiki.user("Ada", RIGHTS):
        wiki.upload("A.png", png(1))
        wiki.upload("A.png", png(2), ignorewarnings=1)
        wiki.done.clear()
        old = wiki.image("A.png")[1]["archivename"]
        answer = wiki.post("filerevert", filename="A.png", archivename=old)
        assert answer["filerevert"]["result"] == "Success"
        assert {"read_media", "page_text"} <= set(wiki.done)
        wiki.done.clear()
        wiki.post("imagerotate", titles="File:A.png|File:None.png", rotation=90)
        assert {"asking a shared repository", "run"} <= set(wiki.done)
    assert wiki.in_transaction == []


def test_deleting_and_restoring(wiki: WatchedWiki) -> None:
    with wiki.user("Ada", RIGHTS):
        wiki.upload("A.png", png(1))
        wiki.upload("A.png", png(2), ignorewarnings=1)
        wiki.in_transaction.clear()
        assert "delete" in wiki.post("delete", title="File:A.png")
        assert wiki.post("undelete", title="File:A.png")["undelete"]["fileversions"] == 2
    assert [work for work in wiki.in_transaction if work != "asking a shared repository"] == []
