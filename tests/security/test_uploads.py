"""What an uploaded file could do to readers, to the server's files and to its network."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from typing import Any

import pytest

from tests.plugins.editing.files.uploadwiki import RIGHTS, UploadWiki, png
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess, Received

TYPES = ["png", "gif", "jpg", "svg", "txt"]


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[UploadWiki]:
    editing = {"upload_types": TYPES, "upload_hosts": ["127.0.0.1", "*.example.org"]}
    made = UploadWiki(tmp_path / "images", pages={}, editing=editing)
    yield made
    made.site.db.close()


def refused(answer: dict[str, Any]) -> str:
    return answer["error"]["code"]


def read(wiki: UploadWiki, path: str) -> Received:
    return InProcess(make_app(wiki.site), "192.0.2.1").send("GET", path)


PAGES = {
    "a page as a picture": ("A.png", b"<html><script>alert(1)</script>"),
    "a page as a text": ("A.txt", b"<!DOCTYPE html><script>alert(1)</script>"),
    "a page far down in a text": ("A.txt", b"x\n" * 5000 + b"<script>alert(1)</script>"),
    "a page in UTF-16": ("A.txt", "<script>alert(1)</script>".encode("utf-16")),
    "a picture with a page in it": ("A.gif", b"GIF89a\1\0\1\0<html>"),
    "a PHP program": ("A.txt", b"<?php phpinfo();"),
    "a shell program": ("A.txt", b"#!/bin/sh\nid\n"),
    "a Windows program": ("A.png", b"MZ\x90\0"),
    "a drawing with a script": (
        "A.svg",
        b"<svg xmlns='http://www.w3.org/2000/svg'>" + b" " * 2000 + b"<script>1</script></svg>",
    ),
    "a drawing that is called a text": (
        "A.txt",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    ),
    "a drawing with entities": (
        "A.svg",
        b"<!DOCTYPE svg [<!ENTITY a '1'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>",
    ),
}


@pytest.mark.parametrize(("name", "data"), PAGES.values(), ids=PAGES)
def test_pages_and_programs_are_refused(wiki: UploadWiki, name: str, data: bytes) -> None:
    with wiki.user("Ada"):
        assert refused(wiki.upload(name, data, ignorewarnings=1)) == "verification-error"
        parts = {"chunk": ("blob", data)}
        chunk = {"filename": name, "filesize": len(data), "offset": 0, "stash": 1}
        answer = wiki.post("upload", files=parts, ignorewarnings=1, **chunk)
    assert "error" in answer
    assert wiki.on_disk() == []


@pytest.mark.parametrize(
    "name", ["A.html", "A.php", "A.php.png", "A.svg.html", "A.PhP.png", "A.xml", "A.js"]
)
def test_names_that_servers_run_are_refused(wiki: UploadWiki, name: str) -> None:
    with wiki.user("Ada"):
        answer = wiki.upload(name, png(), ignorewarnings=1)
    assert refused(answer) in ("filetype-banned", "verification-error")
    assert not any(path for path in wiki.on_disk() if not path.startswith("temp/"))


@pytest.mark.parametrize(
    "name",
    [
        "../../escaped.png",
        "..\\..\\escaped.png",
        "/etc/escaped.png",
        "File:../../escaped.png",
        "%2e%2e%2fescaped.png",
        "a/../../escaped.png",
        "\u202egnp.escaped.png",
    ],
)
def test_no_name_leads_out_of_the_folder(wiki: UploadWiki, name: str) -> None:
    with wiki.user("Ada"):
        wiki.upload(name, png(), ignorewarnings=1)
    everything = [path for path in wiki.folder.parent.rglob("*") if path.is_file()]
    assert all(path.is_relative_to(wiki.folder) for path in everything)
    assert not list(Path("/etc").glob("*escaped*"))


def test_what_is_uploaded_is_served_as_what_it_is(wiki: UploadWiki) -> None:
    drawing = b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
    with wiki.user("Ada"):
        urls = [
            wiki.upload(name, data, ignorewarnings=1)["upload"]["imageinfo"]["url"]
            for name, data in (("A.txt", b"just text"), ("A.svg", drawing))
        ]
    text, picture = (read(wiki, url[url.index("/images") :]) for url in urls)
    assert text.headers["content-type"] == "application/octet-stream"
    assert text.headers["content-disposition"].startswith("attachment")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    for reply in (text, picture):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in reply.headers["content-security-policy"]


def test_what_is_stashed_or_waits_is_served_to_nobody(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        wiki.upload("A.png", png(), stash=1)
    paths = wiki.on_disk()
    assert len(paths) == 1
    assert read(wiki, f"/images/{paths[0]}").status == 404


def _bomb() -> bytes:
    """A picture of a few kilobytes that says it has 90,000 times 90,000 pixels."""
    data = io.BytesIO(b"\x89PNG\r\n\x1a\n")
    data.seek(0, io.SEEK_END)
    for kind, body in (
        (b"IHDR", pack(">IIBBBBB", 90_000, 90_000, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(1_000_000))),
        (b"IEND", b""),
    ):
        data.write(pack(">I", len(body)) + kind + body + pack(">I", zlib.crc32(kind + body)))
    return data.getvalue()


def test_decompression_bombs_are_refused(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        answer = wiki.upload("A.png", _bomb(), ignorewarnings=1)
    assert refused(answer) == "verification-error"
    assert wiki.on_disk() == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:1/a.png", "http-request-error"),
        ("http://elsewhere.example/a.png", "copyuploadbaddomain"),
        ("http://example.org.elsewhere.example/a.png", "copyuploadbaddomain"),
        ("http://a.example.org@elsewhere.example/a.png", "copyuploadbaddomain"),
        ("file://127.0.0.1/etc/passwd", "http-invalid-url"),
        ("gopher://127.0.0.1/", "http-invalid-url"),
        ("http://u:p@127.0.0.1/", "http-invalid-url"),
        ("http://[", "copyuploadbaddomain"),
    ],
)
def test_addresses_that_lead_inside_are_refused(wiki: UploadWiki, url: str, expected: str) -> None:
    with wiki.user("Ada", RIGHTS | {"upload_by_url"}):
        assert refused(wiki.post("upload", filename="A.png", url=url)) == expected
    with wiki.user("Ada"):
        answer = wiki.post("upload", filename="A.png", url="http://127.0.0.1/a.png")
    assert refused(answer) == "permissiondenied"
