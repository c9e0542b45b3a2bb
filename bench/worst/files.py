"""Files to upload: pictures of hostile structure and dumps, made from a description."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PIL import Image

from bench.worst.inputs import rendered

_MOST = 10_000_000
"""Bytes of a file, below the largest body that a server accepts."""


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def _png(side: int, chunks: int, size: int, salt: int) -> bytes:
    """Return a picture of one colour with additional compressed texts."""
    side = min(side, 30_000)
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    row = b"\0" * (1 + (side + 7) // 8)
    packer = zlib.compressobj()
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    text = _chunk(b"zTXt", b"Comment%d\0\0" % salt + zlib.compress(b"a" * min(size, 20_000_000)))
    texts = text * min(chunks, _MOST // len(text))
    pieces = _chunk(b"IHDR", head), texts, _chunk(b"IDAT", data), _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(pieces)


def _gif(frames: int, canvas: int, side: int, salt: int) -> bytes:
    """Return an animation with equal frames."""
    still = io.BytesIO()
    side = min(side, 5000)
    Image.new("P", (side, side), salt % 255).save(still, "GIF")
    data = still.getvalue()
    colours = 3 * 2 ** ((data[10] & 7) + 1)
    picture = data[data.index(b",\0\0\0\0", 13 + colours) : -1]
    size = struct.pack("<HH", min(canvas, 65_535), min(canvas, 65_535))
    head = data[:6] + size + data[10 : 13 + colours]
    frame = b"\x21\xf9\x04\x04\x05\0\0\0" + picture
    return head + frame * max(1, min(frames, _MOST // len(frame))) + b";"


def _svg(before: str, inner: str, number: int, depth: int, salt: int) -> bytes:
    """Return a drawing with a piece that is repeated, in nested groups."""
    depth = min(depth, 100_000)
    number = min(number, (_MOST - depth * 8) // max(1, len(inner)))
    middle = "<g>" * depth + inner * number + "</g>" * depth
    head = f"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' id='i{salt}'>"
    return f"{before}{head}{middle}</svg>".encode()


def _webp(side: int, frames: int, salt: int) -> bytes:
    written = io.BytesIO()
    side, frames = min(side, 2000), min(frames, 50)
    colours = ((n * 70 % 256, salt % 256, n * 90 % 256) for n in range(frames))
    pictures = [Image.new("RGB", (side, side), colour) for colour in colours]
    pictures[0].save(written, "WEBP", save_all=True, append_images=pictures[1:])
    return written.getvalue()


def _jpeg(side: int, segments: int, size: int, salt: int) -> bytes:
    """Return a picture with additional comments."""
    written = io.BytesIO()
    Image.new("L", (min(side, 3000),) * 2, salt % 255).save(written, "JPEG")
    data = written.getvalue()
    size = min(size, 65_000)
    segment = b"\xff\xfe" + struct.pack(">H", size + 2) + b"x" * size
    return data[:2] + segment * min(segments, _MOST // len(segment)) + data[2:]


def _noise(size: int, salt: int) -> bytes:
    return random.Random(salt).randbytes(min(size, _MOST))


def _xml(pages: int, revisions: int, title: str, text: Any, salt: int) -> bytes:
    """Return a dump whose pages have revisions with the same text."""
    body = rendered(text, 1_900_000)
    for character, escape in (("&", "&amp;"), ("<", "&lt;"), ("\0", ""), ("\x7f", "")):
        body = body.replace(character, escape)
    body = (
        "".join(c for c in body if c >= " " or c in "\n\t")
        .replace("\ufffe", "")
        .replace("\uffff", "")
    )
    revision = (
        "<revision><timestamp>20{year:02}-01-01T00:00:{second:02}Z</timestamp><contributor>"
        "<username>Ada</username></contributor><model>wikitext</model><format>text/x-wiki</format>"
    )
    parts = ["<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.11/' xml:lang='en'>"]
    room = _MOST
    for n in range(pages):
        parts.append(f"<page><title>{title} {n + salt}</title><ns>0</ns>")
        for number in range(revisions):
            if room < len(body) + 300:
                break
            head = revision.format(year=number // 60 % 25, second=number % 60)
            parts.append(f"{head}<text xml:space='preserve'>{body}</text></revision>")
            room -= len(body.encode("utf-8", "replace")) + 300
        parts.append("</page>")
        if room < len(body) + 300:
            break
    return "".join([*parts, "</mediawiki>"]).encode("utf-8", "replace")


_MAKERS: Mapping[str, Callable[..., bytes]] = {
    "png": _png, "gif": _gif, "svg": _svg, "webp": _webp, "jpg": _jpeg, "txt": _noise, "xml": _xml,
}  # fmt: skip


def made(description: Sequence[Any]) -> bytes:
    """Return the file of a description: a kind and the arguments of its function."""
    kind, *arguments = description
    return _MAKERS[kind](*arguments)


_SVG_BEFORE = ("", "<!DOCTYPE svg>", "<?xml version='1.0'?>", f"<!--{'x' * 70_000}-->", " " * 3000)
_SVG_INNER = (
    "<rect/>", "<a x:y='z'/>", "<use href='#i'/>", "<text>a</text>", "<!--a-->", "<![CDATA[x]]>",
    "<title>t</title>", "<path d='M 0 0'/>", "<linearGradient/>", "<style>a{b:c}</style>",
    "<set attributeName='x' to='y'/>", f"<style>{'a{b:url(#c)}' * 500}</style>",
    f"<rect style='{'a:b;' * 2000}'/>", f"<rect style='{'/*' * 5000}'/>",
    f"<rect a='{'&#65;' * 2000}'/>", f"<image href='data:image/png;base64,{'A' * 9000}'/>",
    f"<rect {' '.join(f'a{n}=' + repr('b') for n in range(500))}/>",
)  # fmt: skip


def picture(chance: random.Random) -> list[Any]:
    """Return the description of a random picture."""

    def number(most: float) -> int:
        return int(10 ** chance.uniform(0, most))

    salt = chance.randrange(10**9)
    return chance.choice(
        (
            ["png", number(4.3), number(4), number(6.5), salt],
            ["gif", number(4.5), number(4.7), number(3), salt],
            [
                "svg",
                chance.choice(_SVG_BEFORE),
                chance.choice(_SVG_INNER),
                number(5.5),
                number(4),
                salt,
            ],
            ["webp", number(3), number(1.5), salt],
            ["jpg", number(3), number(4), number(4.7), salt],
            ["txt", number(6.8), salt],
        )
    )


def dump(chance: random.Random, text: Any) -> list[Any]:
    """Return the description of a random dump."""
    title = chance.choice(("Imported", "Many", "Tree/Sub", "Template:Imported", "Talk:Tree/Sub"))
    pages, revisions = int(10 ** chance.uniform(0, 3)), int(10 ** chance.uniform(0, 2.5))
    return ["xml", pages, revisions, title, text, chance.randrange(1000)]
