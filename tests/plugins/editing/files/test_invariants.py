"""What holds of rows and data after any sequence of uploads, chunks, deletions and moves."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.plugins.editing.files.uploadwiki import ADMIN, UploadWiki, png
from wikiapi.filerepo.folder import UploadFolder
from wikiapi.filerepo.sha1 import from_hex
from wikiapi.store.models import FileArchive, Image, OldImage
from wikiapi.store.models.writing import UploadStash

NAMES = ["A.png", "B.png"]
PICTURES = [png(60, 60, colour) + bytes([colour]) * 3000 for colour in range(4)]
STEPS = 60
RIGHTS = ADMIN | {"move", "suppressredirect"}


class Client:
    """Somebody who sends requests in any order, also with keys that are used up."""

    def __init__(self, wiki: UploadWiki, seed: int) -> None:
        self.wiki = wiki
        self.random = random.Random(seed)
        self.uploads: list[tuple[str, bytes, int]] = []
        """The keys of chunked uploads, their data, and how much of it has been sent."""
        self.keys: list[str] = []

    def step(self) -> None:
        step: Callable[[], dict[str, Any]] = self.random.choice(
            [self.upload, self.stash, self.begin, self.go_on, self.go_on, self.publish,
             self.publish, self.revert, self.delete, self.delete_old, self.undelete, self.move]
        )  # fmt: skip
        with self.wiki.user(self.random.choice(["Ada", "Ada", "Ada", "Bob"]), RIGHTS):
            answer = step()
        assert not str(answer.get("error", {}).get("code")).startswith("internal"), answer
        self.keep(answer.get("upload") or answer.get("error") or {})

    def keep(self, answer: dict[str, Any]) -> None:
        if "filekey" in answer and answer.get("result") != "Continue":
            self.keys.append(answer["filekey"])

    def name(self) -> str:
        return self.random.choice(NAMES)

    def upload(self) -> dict[str, Any]:
        ignore = self.random.choice([None, 1])
        picture = self.random.choice(PICTURES)
        return self.wiki.upload(self.name(), picture, ignorewarnings=ignore)

    def stash(self) -> dict[str, Any]:
        picture = self.random.choice(PICTURES)
        return self.wiki.upload(self.name(), picture, stash=1, ignorewarnings=1)

    def send(self, data: bytes, offset: int, length: int, **params: Any) -> dict[str, Any]:
        form = {"filename": self.name(), "filesize": len(data), "offset": offset, "stash": 1}
        chunk = {"chunk": ("blob", data[offset : offset + length])}
        form["ignorewarnings"] = self.random.choice([None, 1])
        answer = self.wiki.post("upload", files=chunk, **form, **params)
        done = answer.get("upload", {})
        if "filekey" in done:
            self.uploads.append((done["filekey"], data, offset + length))
        return answer

    def begin(self) -> dict[str, Any]:
        return self.send(self.random.choice(PICTURES), 0, self.random.choice([1024, 1500]))

    def go_on(self) -> dict[str, Any]:
        """Continue an upload, mostly the last one, also where that is wrong."""
        if not self.uploads:
            return self.begin()
        key, data, offset = self.random.choice([*self.uploads, *self.uploads[-1:] * 5])
        left = len(data) - offset
        return self.send(data, offset, self.random.choice([1024, max(left, 1024)]), filekey=key)

    def publish(self) -> dict[str, Any]:
        keys = [*self.keys, *(key for key, *_ in self.uploads), "a.b.png"]
        key = self.random.choice([*keys, *self.keys[-1:] * 3])
        return self.wiki.post("upload", filename=self.name(), filekey=key, ignorewarnings=1)

    def revert(self) -> dict[str, Any]:
        name = self.name()
        old = self.random.choice([*self.wiki.image(name)[1:], {"archivename": "x"}])
        return self.wiki.post("filerevert", filename=name, archivename=old["archivename"])

    def delete(self) -> dict[str, Any]:
        return self.wiki.post("delete", title=f"File:{self.name()}")

    def delete_old(self) -> dict[str, Any]:
        name = self.name()
        old = self.random.choice([*self.wiki.image(name)[1:], {"archivename": "x"}])
        return self.wiki.post("delete", title=f"File:{name}", oldimage=old["archivename"])

    def undelete(self) -> dict[str, Any]:
        return self.wiki.post("undelete", title=f"File:{self.name()}")

    def move(self) -> dict[str, Any]:
        one, other = self.random.sample(NAMES, 2)
        titles = {"from": f"File:{one}", "to": f"File:{other}"}
        return self.wiki.post("move", **titles, noredirect=1, ignorewarnings=1)


def facts(path: Path) -> tuple[int, str]:
    data = path.read_bytes()
    return len(data), from_hex(hashlib.sha1(data).hexdigest())


def expected(wiki: UploadWiki) -> dict[Path, tuple[int, str]]:
    """The files that the rows name, with size and SHA-1. What has no row has no file."""
    db, folder = wiki.site.db, UploadFolder(wiki.site.config.files)
    files: dict[Path, tuple[int, str]] = {}
    for name, *rest in db.execute(Image.select(Image.img_name, Image.img_size, Image.img_sha1)):
        files[folder.current(name)] = tuple(rest)
    columns = (OldImage.oi_archive_name, OldImage.oi_size, OldImage.oi_sha1)
    for name, archive_name, *rest in db.execute(OldImage.select(OldImage.oi_name, *columns)):
        files[folder.archived(name, archive_name)] = tuple(rest)
    columns = (FileArchive.fa_storage_key, FileArchive.fa_size, FileArchive.fa_sha1)
    for key, *rest in db.execute(FileArchive.select(*columns)):
        assert key.startswith(rest[1])
        files[folder.deleted(key)] = tuple(rest)
    stash = UploadStash.us_path, UploadStash.us_size, UploadStash.us_sha1, UploadStash.us_mime
    chosen = UploadStash.select(*stash).where(UploadStash.us_status == "finished")
    for path, size, sha1, mime in db.execute(chosen):
        files[folder.stashed(path.rpartition("/")[2])] = size, sha1
        assert mime == "image/png"
    return files


def chunks(wiki: UploadWiki) -> set[Path]:
    """The chunks of unfinished uploads, whose sizes are checked."""
    folder, paths = UploadFolder(wiki.site.config.files), set[Path]()
    columns = UploadStash.us_path, UploadStash.us_size, UploadStash.us_chunk_inx
    chosen = UploadStash.select(*columns).where(UploadStash.us_status == "chunks")
    for path, size, last in wiki.site.db.execute(chosen):
        name = path.rpartition("/")[2]
        parts = [Path(f"{folder.stashed(name)}.{number}") for number in range(last + 1)]
        assert sum(part.stat().st_size for part in parts) == size
        paths |= set(parts)
    return paths


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[UploadWiki]:
    made = UploadWiki(tmp_path / "images", pages={})
    yield made
    made.site.db.close()


@pytest.mark.parametrize("seed", range(4))
def test_rows_and_data_agree_after_every_step(wiki: UploadWiki, seed: int) -> None:
    client = Client(wiki, seed)
    with ExitStack() as opened:
        seen: dict[int, tuple[BinaryIO, bytes]] = {}
        for _ in range(STEPS):
            client.step()
            files, parts = expected(wiki), chunks(wiki)
            on_disk = {path for path in wiki.folder.rglob("*") if path.is_file()}
            assert on_disk == files.keys() | parts
            assert {path: facts(path) for path in files} == files
            # Chunks share their data with nothing.
            assert all(part.stat().st_nlink == 1 for part in parts)
            for path in on_disk:
                # An open file keeps its number, which is not given to another.
                if (number := path.stat().st_ino) not in seen:
                    file = opened.enter_context(path.open("rb"))
                    seen[number] = file, path.read_bytes()
            # Data that had a name once is never written again.
            for file, data in seen.values():
                file.seek(0)
                assert file.read() == data
    assert client.keys
    assert client.uploads
