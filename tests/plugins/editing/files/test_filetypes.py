from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.editing.files.uploadwiki import png
from wikiapi_plugins.editing.files import filetypes

CASES = [
    (png(), "image/png"),
    (b"GIF89a....", "image/gif"),
    (b"\xff\xd8\xff\xe0", "image/jpeg"),
    (b"RIFF....WEBPVP8 ", "image/webp"),
    (b"RIFF....WAVEfmt ", "audio/x-wav"),
    (b"%PDF-1.7", "application/pdf"),
    (b"OggS", "application/ogg"),
    (b"MZ\x90", "application/x-msdownload"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
    (b"\xef\xbb\xbf<?xml version='1.0'?>\n<s:svg xmlns:s='a'/>", "image/svg+xml"),
    ("<?xml version='1.0' encoding='UTF-16'?><svg/>".encode("utf-16"), "image/svg+xml"),
    (b"<html xmlns='http://www.w3.org/1999/xhtml'/>", "text/html"),
    (b" <!DOCTYPE html><p>", "text/html"),
    (b"<SCRIPT>", "text/html"),
    (b"<?php echo 1;", "application/x-php"),
    (b"#!/bin/sh\n", "application/x-shellscript"),
    (b"<data/>", "application/xml"),
    (b"<!-- " + b"x" * 99_999 + b" --><svg/>", "image/svg+xml"),
    (b" \n" * 50_000 + b"<svg onload='alert(1)'/>", "image/svg+xml"),
    (b" \n" * 50_000 + b"<html>", "text/html"),
    (b" \n" * 50_000 + b"<?php", "application/x-php"),
    (b" \n" * 50_000 + b"plain text", "text/plain"),
    (b"<!-- " + b"x" * 99_999 + b" --><html>", "text/html"),
    (b"<!DOCTYPE html><html>", "text/html"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"plain text", "text/plain"),
    (b"\0\1\2", "application/octet-stream"),
]


@pytest.mark.parametrize(("data", "expected"), CASES, ids=[mime for _, mime in CASES])
def test_types_by_content(data: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert filetypes.type_of(path) == expected


@pytest.mark.parametrize(
    ("mime", "name", "fits"),
    [
        ("image/png", "A.png", True),
        ("image/png", "A.PNG", True),
        ("image/jpeg", "A.jpeg", True),
        ("image/png", "A.jpg", False),
        ("image/png", "A.exe", False),
        ("application/gzip", "A.svgz", False),
        ("application/gzip", "A.svg", False),
        ("text/plain", "A.txt", True),
        ("text/plain", "A.png", False),
        ("application/octet-stream", "A.png", False),
        ("application/octet-stream", "A.stl", True),
        ("application/ogg", "A.ogg", True),
        ("application/ogg", "A.ogv", True),
        ("application/zip", "A.odt", True),
        ("application/zip", "A.png", False),
    ],
)
def test_what_fits_a_name(mime: str, name: str, fits: bool) -> None:
    assert filetypes.fits(mime, name) is fits


@pytest.mark.parametrize(
    ("data", "mime", "has_script"),
    [
        (b"GIF89a<script>", "image/gif", True),
        (b"GIF89a<ScRiPt", "image/gif", True),
        (b"GIF89a" + bytes(1400) + b"<script", "image/gif", True),
        (b"GIF89a" + bytes(2000) + b"<script", "image/gif", False),
        (b"\1" + bytes(99_999) + b"\1<script", "application/octet-stream", True),
        (b"<a>" + b" " * 99_999 + b"<script", "application/xml", True),
        (b"x" * 65_530 + b"<script", "text/plain", True),
        (("x" * 70_000 + "<script").encode("utf-16"), "text/plain", True),
        (b"x" * 65_530 + b"href=java&#115;cript:x", "text/plain", True),
        (b"x" * 65_523 + b"href=java&#115;cript:x", "text/plain", True),
        (b"href =" + b" \n" * 99_999 + b"'javascript:x", "text/plain", True),
        (b"href=&#74;ava&#x73;cript&#58;x", "text/plain", True),
        (b"&" * 99_999, "text/plain", False),
        (b"&#" + b"1" * 9_999, "text/plain", False),
        (b"href=java&#" + b"0" * 900 + b"115;cript:x", "text/plain", True),
        (b"href=java&#1;script&colon;x", "text/plain", True),
        (b"href=&nbsp;java&#x53;cript&#58;x", "text/plain", True),
        (b"x" * 5000 + b"<html", "text/plain", True),
        ("<html".encode("utf-16"), "text/plain", True),
        (b"<a href=' java&#115;cript:x'", "text/plain", True),
        (b"a { b: url( 'javascript:x' ) }", "text/plain", True),
        (b"<x type = 'text/javascript'", "text/plain", True),
        (b"<svg><title>a</title></svg>", "image/svg+xml", False),
        (b"a <title>", "text/plain", True),
        (b"an ordinary text", "text/plain", False),
    ],
)
def test_scripts(data: bytes, mime: str, has_script: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert filetypes.has_script(path, mime) is has_script
