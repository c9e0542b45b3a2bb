"""What ``mw.text`` and ``mw.svg`` ask."""

from __future__ import annotations

import base64
import re
from html.entities import html5
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.title import decode_references
from wikiapi.wikitext import checked_attributes, escape_attribute
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.basics import Operations

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

_NOWIKI = re.compile("\x7f'\"`UNIQ--nowiki-[0-9A-F]{8}-QINU`\"'\x7f")
_IMAGE_ATTRIBUTES = frozenset({"width", "height", "class", "id", "alt", "title", "style"})
_TAGS = re.compile(r"<[^<>]*>")
_RUNNING = re.compile(
    r"""<(?:[\w.-]++:)?(?:script|handler|listener|foreignobject|iframe|object|embed)\b"""
    r"""|(?<=[\s"'/])on[a-z]++\s*+=\s*+["']|attributename\s*+=\s*+["']\s*+on""",
    re.IGNORECASE,
)
"""Elements and attributes of SVG that run something, or hold what does."""
_SCRIPT_ADDRESS = re.compile(
    r"""["';(] *+(?:java|vb)script:|href *+= *+["'] *+data:(?!image/(?:png|jpeg|gif|webp)\b)""",
    re.IGNORECASE,
)
_SKIPPED_IN_ADDRESSES = str.maketrans("", "", "\t\n\r")


def entity(_: Session, name: str) -> str | None:
    """The character that HTML has a name for."""
    return html5.get(f"{name};")


def unstrip_nowiki(session: Session, text: str, decode: bool) -> str:
    """Put back what ``<nowiki>`` held, with its markup escaped or, decoded, as it was."""
    strip = session.state.strip

    def restored(match: re.Match[str]) -> str:
        text = strip.unstrip_nowiki(match[0])
        return decode_references(text) if decode else text

    return _NOWIKI.sub(restored, text)


def unstrip(session: Session, text: str) -> str:
    """Put back what ``<nowiki>`` held, and leave out what other tags gave."""
    return session.state.strip.kill(unstrip_nowiki(session, text, decode=False))


def plain_text(session: Session, text: str) -> str:
    """The text without tags and markers, its character references decoded."""
    killed = session.state.strip.kill(text)
    return decode_references(_TAGS.sub("", killed)).strip()


def svg_image(session: Session, svg: str, *listed: str) -> str:
    """A picture as ``<img>``, put aside under a marker. Its attributes are those of wikitext.

    Nothing in a picture runs as long as ``<img>`` shows it; whoever opens it by itself, or puts it
    into a page some other way, is to be safe as well.
    """
    decoded = decode_references(svg)
    address = _SCRIPT_ADDRESS.search(decoded.translate(_SKIPPED_IN_ADDRESSES))
    if address or _RUNNING.search(decoded):
        raise Refusal("toImage: a picture may not hold scripts")
    data = base64.b64encode(svg.encode("utf-8", "surrogateescape")).decode()
    given = {
        name.lower(): value
        for name, value in zip(listed[::2], listed[1::2], strict=True)
        if name.lower() in _IMAGE_ATTRIBUTES
    }
    attributes = checked_attributes(given, "img")
    attributes["src"] = f"data:image/svg+xml;base64,{data}"
    written = "".join(f' {name}="{escape_attribute(v)}"' for name, v in attributes.items())
    return session.state.strip.add_general(f"<img{written} />", "svg")


OPERATIONS: Operations = MappingProxyType(
    {
        "entity": entity,
        "unstripNoWiki": unstrip_nowiki,
        "unstrip": unstrip,
        "plainText": plain_text,
        "svgImage": svg_image,
    }
)
