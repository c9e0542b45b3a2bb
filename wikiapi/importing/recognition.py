"""Recognises files that are not XML dumps by their beginning, before anything is created."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikiapi.errors import DumpError
from wikiapi.importing.compression import unpacked
from wikiapi.importing.source import DumpSource
from wikiapi.importing.xml.limits import DumpLimits

_ADDRESS = re.compile(r"(?:https?|ftp):/", re.IGNORECASE)
_TAR = (257, b"ustar")


class _Kind(NamedTuple):
    """A kind of file: how it can begin, in lower case, and what it is and what to do with it."""

    beginnings: tuple[bytes, ...]
    text: str


_ARCHIVE = "is an archive of files: unpack it, and import the dump in it"
_KINDS = (
    _Kind(
        (b"<!doctype html", b"<html"),
        "is an HTML page, not a dump: it was downloaded from the address of a page; download the"
        " file that the page links to",
    ),
    _Kind(
        (b"-- mysql dump", b"-- mariadb dump", b"create table", b"insert into", b"/*!"),
        "is an SQL dump: `wikiapi import-tables` loads those of Wikimedia's tables",
    ),
    _Kind(
        (b"sqlite format 3\0",),
        "is an SQLite database: `wikiapi serve --database FILE` serves a MediaWiki's database as"
        " it is",
    ),
    _Kind((b"pk\x03\x04", b"rar!"), _ARCHIVE),
    _Kind((b"{", b"["), "is JSON, not a dump in XML"),
)
_BLANKS = b"\xef\xbb\xbf \t\r\n"


def is_address(name: str) -> bool:
    """Return whether a name is a URL rather than the path of a file."""
    return _ADDRESS.match(name) is not None


def check_is_dump(source: DumpSource, limits: DumpLimits) -> None:
    """Check that a file can be a dump by its beginning.

    Raises:
        DumpError: the file is not a dump; the message says what it seems to be.
    """
    if not source.head:
        raise DumpError(f"{source.name} is empty")
    head = _beginning(source, limits)
    if not head.strip(_BLANKS):
        raise DumpError(f"{source.name} is empty once it is unpacked")
    place, magic = _TAR
    if head[place:].startswith(magic):
        raise DumpError(f"{source.name} {_ARCHIVE}")
    start = head.lstrip(_BLANKS)[:64].lower()
    for kind in _KINDS:
        if start.startswith(kind.beginnings):
            raise DumpError(f"{source.name} {kind.text}")
    if not start.startswith(b"<"):
        raise DumpError(f"{source.name} is not a dump: it does not begin with XML")


def _beginning(source: DumpSource, limits: DumpLimits) -> bytes:
    pieces = unpacked(source, limits)
    try:
        return next(pieces, b"")
    except DumpError as error:
        raise DumpError(f"{source.name}: {error}") from error
    finally:
        pieces.close()  # type: ignore[attr-defined]
