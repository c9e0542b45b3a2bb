"""What of the upload folder leaves the wiki with an export, whatever the links of pages say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from tests.plugins.editing.files.uploadwiki import ADMIN, UploadWiki, png
from wikiapi.cli import main
from wikiapi.filerepo.folder import UploadFolder
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.store.models import OldImage
from wikiapi.store.queries.visibility import TEXT
from wikiapi_plugins.export.site.pages import Media

CURRENT, OLD, HIDDEN, DELETED, STASHED, CHUNK = map(png, [4, 5, 6, 7, 8, 9])
SECRETS = (OLD, HIDDEN, DELETED, STASHED, CHUNK)
"""What is on disk, but is not the current version of any file."""
CONFIG = """
[database]
url = "sqlite:///{store}"
[files]
folder = "{folder}"
"""


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[UploadWiki]:
    """A wiki with every kind of data in its upload folder, also thumbnails of it."""
    made = UploadWiki(tmp_path / "images", pages={}, store=tmp_path / "wiki.sqlite")
    with made.user("Ada", ADMIN):
        for data in (HIDDEN, OLD, CURRENT):
            made.upload("A.png", data, ignorewarnings=1)
        hidden = made.image("A.png")[-1]["archivename"]
        chosen = OldImage.update(oi_deleted=TEXT).where(OldImage.oi_archive_name == hidden)
        made.site.db.execute_write(chosen)
        made.upload("B.png", DELETED, ignorewarnings=1)
        made.post("delete", title="File:B.png")
        made.upload("C.png", STASHED, stash=1, ignorewarnings=1)
        chunk = {"chunk": ("blob", CHUNK.ljust(2000, b"\0"))}
        params = {"filename": "D.png", "filesize": 3000, "stash": 1, "ignorewarnings": 1}
        made.post("upload", files=chunk, offset=0, **params)
    for path in made.on_disk():
        thumbnail = made.folder / "thumb" / path / f"2px-{path.rpartition('/')[2]}"
        thumbnail.parent.mkdir(parents=True)
        thumbnail.write_bytes((made.folder / path).read_bytes())
    (made.folder / "left.png").write_bytes(OLD)
    yield made
    made.site.db.close()


def spellings(path: str) -> list[str]:
    """Addresses that some reader takes for that of a path below the upload folder."""
    server = "http://localhost"
    return [
        f"/images/{quote(path)}",
        f"{server}/images/{quote(path)}?x#y",
        f"/images/{''.join(f'%{byte:02x}' for byte in path.encode())}",
        f"/images/thumb/../{quote(path)}",
        f"/%69mages/{quote(path)}",
        f"/images//{quote(path)}",
        f"/images/./{quote(path)}",
        f"/images/a/../{quote(path)}",
    ]


def test_only_current_versions_are_copied(wiki: UploadWiki, tmp_path: Path) -> None:
    media, copies = Media(wiki.site), Media(wiki.site, tmp_path / "out")
    current = UploadFolder(wiki.site.config.files).current("A.png")
    public = str(current.relative_to(wiki.folder))
    for url in (f"/images/{public}", f"/images/thumb/{public}/2px-A.png"):
        assert media.relative(url) is not None
        copies.copy(url)
    copied = {path.read_bytes() for path in (tmp_path / "out").rglob("*.png")}
    assert copied == {CURRENT}
    others = [path for path in wiki.on_disk() if public not in path]
    assert len(others) > 10
    for path in others:
        for url in spellings(path):
            assert media.relative(url) is None, url


@pytest.mark.parametrize("kind", ["html", "zim", "markdown", "jsonl"])
def test_no_export_contains_other_data(
    wiki: UploadWiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if kind == "zim":
        pytest.importorskip("libzim")
    server = wiki.site.config.site.server
    links = "\n".join(
        f"[{server}/images/{quote(path)} x] [[Media:{path.rpartition('/')[2]}]]"
        f" [[File:{path.rpartition('/')[2]}]]"
        for path in wiki.on_disk()
    )
    with wiki.user("Ada", ADMIN):
        wiki.post("edit", title="Main Page", text=f"[[File:A.png]]\n{links}")
        wiki.post("edit", title="File:B.png", text="the page of a deleted file")
    config = CONFIG.format(store=tmp_path / "wiki.sqlite", folder=wiki.folder)
    (tmp_path / "wikiapi.toml").write_text(config, "utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["export", f"--{kind}", f"out.{kind}"])
    assert result.exit_code == 0, result.output
    written = contents(tmp_path / f"out.{kind}")
    assert any(b"Main Page" in data for data in written)
    assert (CURRENT in written) == (kind in ("html", "zim"))
    for secret in SECRETS:
        assert not any(secret in data for data in written)


def contents(path: Path) -> list[bytes]:
    """Return the content of each file of an export."""
    if path.suffix != ".zim":
        files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
        return [file.read_bytes() for file in files]
    from libzim.reader import Archive

    archive = Archive(path)
    numbers = range(archive.all_entry_count)
    entries = [archive._get_entry_by_id(number) for number in numbers]
    return [bytes(entry.get_item().content) for entry in entries]


def test_the_server_serves_no_other_data(wiki: UploadWiki) -> None:
    app, served = InProcess(make_app(wiki.site), "192.0.2.1"), []
    for path in wiki.on_disk():
        answer = app.send("GET", f"/images/{path}")
        if answer.status == 200:
            served.append(answer.body)
            assert answer.body in (CURRENT, OLD)
            assert path.rpartition("!")[2].rpartition("/")[2] in ("A.png", "2px-A.png")
        for secret in (HIDDEN, DELETED, STASHED, CHUNK):
            assert secret not in answer.body
    assert CURRENT in served
