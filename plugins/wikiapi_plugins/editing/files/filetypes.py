"""Detecting the type of a file from its content, and comparing it with the file's name."""

from __future__ import annotations

import html
import mimetypes
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple
from xml.parsers import expat

from wikiapi.filerepo import extension
from wikiapi.xmlfeed import XmlFeed

UNKNOWN = "application/octet-stream"
TEXT = "text/plain"
SVG = "image/svg+xml"
_HTML = "text/html"
_XML = "application/xml"
_ZIP = "application/zip"
_HEAD = 65_536
"""Bytes from the start of a file that are examined to find its type.

Blanks before, and everything before the root element of XML, are not counted.
"""
_SCRIPT_HEAD = 1445
"""Bytes from the start of a file that are searched for HTML, as many as browsers look at.

Files that are no more than text, XML or of an unknown type are searched completely.
"""
_BLANKS = b"\xef\xbb\xbf \t\r\n\f"
_LONGEST_TAG = 1 << 24


class _Signature(NamedTuple):
    mime: str
    mark: bytes
    offset: int = 0


_SIGNATURES = (
    _Signature("image/png", b"\x89PNG\r\n\x1a\n"),
    _Signature("image/gif", b"GIF87a"),
    _Signature("image/gif", b"GIF89a"),
    _Signature("image/jpeg", b"\xff\xd8\xff"),
    _Signature("image/webp", b"WEBP", 8),
    _Signature("image/tiff", b"II*\0"),
    _Signature("image/tiff", b"MM\0*"),
    _Signature("image/x-xcf", b"gimp xcf"),
    _Signature("image/vnd.djvu", b"AT&TFORM"),
    _Signature("image/avif", b"ftypavif", 4),
    _Signature("image/heic", b"ftypheic", 4),
    _Signature("audio/x-wav", b"WAVE", 8),
    _Signature("audio/flac", b"fLaC"),
    _Signature("audio/midi", b"MThd"),
    _Signature("audio/mpeg", b"ID3"),
    _Signature("audio/mpeg", b"\xff\xfb"),
    _Signature("audio/mpeg", b"\xff\xf3"),
    _Signature("video/mp4", b"ftyp", 4),
    _Signature("video/webm", b"\x1aE\xdf\xa3"),
    _Signature("application/ogg", b"OggS"),
    _Signature("application/pdf", b"%PDF-"),
    _Signature("application/postscript", b"%!PS"),
    _Signature(_ZIP, b"PK\x03\x04"),
    _Signature("application/gzip", b"\x1f\x8b"),
    _Signature("application/x-7z-compressed", b"7z\xbc\xaf\x27\x1c"),
    _Signature("application/x-rar-compressed", b"Rar!\x1a\x07"),
    _Signature("application/x-msdownload", b"MZ"),
    _Signature("application/x-executable", b"\x7fELF"),
    _Signature("application/java", b"\xca\xfe\xba\xbe"),
    _Signature("application/wasm", b"\0asm"),
    _Signature("image/bmp", b"BM"),
)
_ROOTS = {"svg": SVG, "html": _HTML}
_SCRIPTS = (
    (b"<?php", "application/x-php"),
    (b"#!", "application/x-shellscript"),
    (b"<!doctype html", _HTML),
    (b"<html", _HTML),
    (b"<head", _HTML),
    (b"<body", _HTML),
    (b"<script", _HTML),
)
"""Beginnings of text files that some program would execute, in lower case."""

BANNED = frozenset(
    {
        _HTML,
        "application/xhtml+xml",
        "application/javascript",
        "text/javascript",
        "application/x-php",
        "application/x-shellscript",
        "application/x-msdownload",
        "application/x-executable",
        "application/java",
        "application/wasm",
    }
)
"""Types that nobody may upload, whatever the name of the file."""

_SAME = {
    "image/x-ms-bmp": "image/bmp",
    "audio/wav": "audio/x-wav",
    "audio/vnd.wave": "audio/x-wav",
    "audio/x-flac": "audio/flac",
    "audio/ogg": "application/ogg",
    "video/ogg": "application/ogg",
    "audio/opus": "application/ogg",
    "audio/mp4": "video/mp4",
    "video/quicktime": "video/mp4",
    "audio/webm": "video/webm",
    "video/x-matroska": "video/webm",
    "audio/sp-midi": "audio/midi",
}
_RECOGNISED = frozenset(one.mime for one in _SIGNATURES) | {SVG, TEXT}
_ZIPPED = ("application/vnd.oasis.", "application/vnd.openxmlformats-", "application/epub")


def type_of(path: Path) -> str:
    """Return the MIME type of a file, found from its content.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
        for mime, mark, offset in _SIGNATURES:
            if head.startswith(mark, offset):
                return mime
        start = head.lstrip(_BLANKS)
        while not start and (more := file.read(_HEAD)):
            start = more.lstrip(_BLANKS)
        file.seek(0)
        root = _xml_root(file) if start.lstrip(b"\xff\xfe\0").startswith(b"<") else ""
    kind = _ROOTS.get(root.rpartition(":")[2].lower())
    if kind:
        return kind
    for mark, mime in _SCRIPTS:
        if start.lower().startswith(mark):
            return mime
    if root:
        return _XML
    return TEXT if _is_text(head) and _is_text(start) else UNKNOWN


def fits(mime: str, name: str) -> bool:
    """Return whether the extension of a name is right for a MIME type."""
    expected = mimetypes.guess_type(f"x.{extension(name)}")[0]
    if expected is None:
        return mime == UNKNOWN
    expected, actual = _SAME.get(expected, expected), _SAME.get(mime, mime)
    if actual == TEXT:
        return expected.startswith("text/") or expected == "application/json"
    if actual == UNKNOWN:
        return expected not in _RECOGNISED
    if actual == _ZIP and expected.startswith(_ZIPPED):
        return True
    return actual == expected or (actual == _XML and expected == "text/xml")


def has_script(path: Path, mime: str) -> bool:
    """Return whether a browser might treat a file as a page or a script, whatever its type.

    Raises:
        OSError: the file cannot be read.
    """
    tags = _TAGS if mime == SVG else _TAGS_OF_OTHERS
    is_searched_completely = mime.startswith("text/") or mime in (UNKNOWN, _XML)
    text = joined = b""
    with path.open("rb") as file:
        for part in _ascii_parts(file, None if is_searched_completely else _SCRIPT_HEAD):
            text = text[-_LONGEST_MARK:] + part.lower()
            # White space and quotation marks are allowed anywhere between the parts.
            characters = _REFERENCE.sub(_character, part) if b"&" in part else part
            joined = joined[-_LONGEST_MARK:] + characters.translate(None, _IGNORED).lower()
            if tags.search(text) or (b"script" in joined and _SCRIPT_MARK.search(joined)):
                return True
    return False


_TAGS = re.compile(rb"<(?:body|head|html|script|!doctype x?html)")
_TAGS_OF_OTHERS = re.compile(rb"<(?:body|head|html|script|title|!doctype x?html)")
_LONGEST_MARK = 64
_IGNORED = b" \t\r\n\f\v\xa0\"'"
_SCRIPT_MARK = re.compile(
    rb"(?:(?:href=|src=|data=|url\()(?:java|ecma)script:)"
    rb"|type=(?:text/(?:x-)?|application/(?:x-)?)?(?:java|ecma)script"
)
_REFERENCE = re.compile(
    rb"&(?:#0*+([0-9]++);?|#[xX]0*+([0-9a-fA-F]++);?|[A-Za-z][A-Za-z0-9]{1,31}+;?)"
)
_MOST_DIGITS = 8
"""No character has a number with so many digits."""
_CHARACTERS = tuple(html.unescape(f"&#{n};").encode("latin-1", "ignore") for n in range(256))


def _character(reference: re.Match[bytes]) -> bytes:
    """Return the characters of a reference, without those that take two bytes."""
    text, decimal, hexadecimal = reference.group(0, 1, 2)
    if decimal:
        number = int(decimal[:_MOST_DIGITS])
    elif hexadecimal:
        number = int(hexadecimal[:_MOST_DIGITS], 16)
    else:
        return _named_character(text)
    return _CHARACTERS[number] if number < len(_CHARACTERS) else b""


@lru_cache(1024)
def _named_character(reference: bytes) -> bytes:
    return html.unescape(reference.decode("ascii")).encode("latin-1", "ignore")


def _ascii_parts(file: BinaryIO, most: int | None) -> Iterator[bytes]:
    """Yield the ASCII text of a file, or of its first bytes, in parts with whole references.

    Without the zeros, it is the same in UTF-16. Other bytes are left as they are.
    """
    text = file.read(most or _HEAD).replace(b"\0", b"")
    while most is None and (chunk := file.read(_HEAD)):
        end = text.rfind(b"&", max(len(text) - _LONGEST_REFERENCE, 0))
        complete = text if end < 0 else text[:end]
        yield complete
        text = text[len(complete) :] + chunk.replace(b"\0", b"")
    yield text


_LONGEST_REFERENCE = 1024


def _is_text(head: bytes) -> bool:
    """Return whether there are no control characters other than those used in text."""
    return not any(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)


class _RootElement(Exception):
    """Raised to stop the parser at the root element; the argument is the element's name."""


def _xml_root(file: BinaryIO) -> str:
    """Return the name of the root element of an XML document; empty if it is not XML."""
    parser = expat.ParserCreate()

    def start(name: str, _: dict[str, str]) -> None:
        raise _RootElement(name)

    parser.StartElementHandler = start
    try:
        XmlFeed(parser, _LONGEST_TAG).read(file)
    except _RootElement as root:
        return str(root)
    except (expat.ExpatError, ValueError, LookupError):
        return ""
    return ""
