"""Uploads of what another server holds, here one of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.plugins.editing.files.uploadwiki import RIGHTS, UploadWiki, png
from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.fetching import connections
from wikiapi.filerepo.folder import UploadFolder

BY_ADDRESS = RIGHTS | {"upload_by_url"}


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[UploadWiki]:
    hosts = ["127.0.0.*", "files.example"]
    made = UploadWiki(tmp_path / "images", pages={}, editing={"upload_hosts": hosts})
    yield made
    made.site.db.close()


@pytest.fixture
def anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files come from this machine, which is not in a public network."""
    monkeypatch.setattr(connections, "is_public", lambda address: True)


def answering(body: bytes, asked: list[str]) -> Callable[[bytes, Callable[[bytes], None]], None]:
    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        asked.append(request.split(b" ")[1].decode())
        send(body)

    return answer


def error_code(wiki: UploadWiki, url: str, rights: frozenset[str] = BY_ADDRESS) -> str:
    with wiki.user("Ada", rights):
        answer = wiki.post("upload", filename="Dot.png", url=url)
    return answer["error"]["code"]


@pytest.mark.usefixtures("anywhere")
def test_a_file_comes_from_another_server(wiki: UploadWiki) -> None:
    data, asked = png(), list[str]()
    with raw_server(answering(http(data), asked)) as address:
        url = address.replace("/w/api.php", "/dots/Dot.png?size=4&x=a%20b")
        with wiki.user("Ada", BY_ADDRESS):
            upload = wiki.post("upload", filename="Dot.png", url=url, comment="c")["upload"]
    assert (upload["result"], upload["filename"]) == ("Success", "Dot.png")
    assert asked == ["/dots/Dot.png?size=4&x=a%20b"]
    assert UploadFolder(wiki.site.config.files).current("Dot.png").read_bytes() == data
    assert wiki.image("Dot.png")[0]["user"] == "Ada"


@pytest.mark.usefixtures("anywhere")
def test_what_comes_is_checked_as_any_upload(wiki: UploadWiki) -> None:
    with raw_server(answering(http(b"<html><script>"), [])) as address:
        assert error_code(wiki, address) in ("filetype-mime-mismatch", "verification-error")
    assert wiki.on_disk() == [] or all("temp" in name for name in wiki.on_disk())


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    "body",
    [http(b"", "404 Not Found"), http(b"", "302 Found", b"Location: http://127.0.0.1/\r\n"), b"x"],
)
def test_other_answers_are_no_files(wiki: UploadWiki, body: bytes) -> None:
    asked: list[str] = []
    with raw_server(answering(body, asked)) as address:
        assert error_code(wiki, address) == "http-request-error"
    assert len(asked) == 1
    assert wiki.image("Dot.png") == []


def test_where_files_may_not_come_from(wiki: UploadWiki) -> None:
    asked: list[str] = []
    with raw_server(answering(http(png()), asked)) as address:
        assert error_code(wiki, address) == "http-request-error"  # a private network
        assert error_code(wiki, address, RIGHTS) == "permissiondenied"
    assert error_code(wiki, "http://other.example/a.png") == "copyuploadbaddomain"
    assert error_code(wiki, "http://files.example:x/a.png") == "http-invalid-url"
    assert asked == []
