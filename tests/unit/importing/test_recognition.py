"""Files that are no dumps, told apart by how they begin."""

from __future__ import annotations

import bz2
import gzip
import io
import tarfile

import pytest

from tests.unit.importing.xmldump import dump, page
from wikiapi.errors import DumpError
from wikiapi.importing.compression import check_is_dump, is_address
from wikiapi.importing.source import DumpSource, limits_for

HTML = b"\xef\xbb\xbf\n<!DOCTYPE HTML><html><head><title>404</title></head></html>"


def tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.xml"))
    return stream.getvalue()


def look(data: bytes) -> None:
    check_is_dump(DumpSource(io.BytesIO(data), "a.xml", len(data)), limits_for(2_097_152))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "a.xml is empty"),
        (b"\n \n", "a.xml is empty once it is unpacked"),
        (gzip.compress(b""), "a.xml is empty once it is unpacked"),
        (HTML, "a.xml is an HTML page"),
        (gzip.compress(HTML), "a.xml is an HTML page"),
        (b"<html lang='en'>", "a.xml is an HTML page"),
        (b"-- MySQL dump 10.19\n", "wikiapi import-tables"),
        (b"SQLite format 3\0...", "wikiapi serve --database"),
        (b"PK\x03\x04...", "unpack it"),
        (gzip.compress(tar()), "unpack it"),
        (b'{"batchcomplete": true}', "is JSON"),
        (b"hello", "does not begin with XML"),
        (gzip.compress(b"<mediawiki>" * 99)[:20], "a.xml: the compressed data ends too early"),
        (b"BZh9 and so on, and so on", "a.xml: the compressed data is damaged"),
    ],
)
def test_what_is_no_dump_is_named(data: bytes, said: str) -> None:
    with pytest.raises(DumpError) as caught:
        look(data)
    assert said in str(caught.value)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_dumps_are_let_through(pack: type[bytes]) -> None:
    look(pack(dump(page("A", 1))))
    look(pack(b"\xef\xbb\xbf<?xml version='1.0'?>" + dump(page("A", 1))))
    look(pack(b"<mediawiki>"))


def test_addresses() -> None:
    assert is_address("https://dumps.example/a.xml.gz")
    assert is_address("FTP://dumps.example/a.xml.gz")
    assert not is_address("https.xml")
    assert not is_address("c:/a.xml")
