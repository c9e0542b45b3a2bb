"""The functions of ``mw.text`` and ``mw.svg``."""

from __future__ import annotations

import base64
import re
from html.entities import html5

from wikiapi.title import decode_references
from wikiapi.wikitext import checked_attributes, escape_attribute
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_NOWIKI = re.compile("\x7f'\"`UNIQ--nowiki-[0-9A-F]{8}-QINU`\"'\x7f")
_IMAGE_ATTRIBUTES = frozenset({"width", "height", "class", "id", "alt", "title", "style"})
_TAGS = re.compile(r"<[^<>]*>")
_RUNNING = re.compile(
    r"""<(?:[\w.-]++:)?(?:script|handler|listener|foreignobject|iframe|object|embed)\b"""
    r"""|(?<=[\s"'/])on[a-z]++\s*+=\s*+["']|attributename\s*+=\s*+["']\s*+on""",
    re.IGNORECASE,
)
"""Elements and attributes of SVG that run scripts, or contain what does."""
_SCRIPT_ADDRESS = re.compile(
    r"""["';(] *+(?:java|vb)script:|href *+= *+["'] *+data:(?!image/(?:png|jpeg|gif|webp)\b)""",
    re.IGNORECASE,
)
_SKIPPED_IN_ADDRESSES = str.maketrans("", "", "\t\n\r")


class TextLibrary(Library):
    """Entities, strip markers and pictures."""

    def entity(self, name: str) -> str | None:
        """Return the character of a named character reference."""
        return html5.get(f"{name};")

    def unstrip_nowiki(self, text: str, decode: bool) -> str:
        """Put back the content of ``<nowiki>``, with its markup escaped or decoded."""
        strip = self.state.strip

        def restored(match: re.Match[str]) -> str:
            text = strip.unstrip_nowiki(match[0])
            return decode_references(text) if decode else text

        return _NOWIKI.sub(restored, text)

    def unstrip(self, text: str) -> str:
        """Put back the content of ``<nowiki>``, and remove the markers of other tags."""
        return self.state.strip.kill(self.unstrip_nowiki(text, decode=False))

    def plain_text(self, text: str) -> str:
        """Return the text without tags and markers, its character references decoded."""
        killed = self.state.strip.kill(text)
        return decode_references(_TAGS.sub("", killed)).strip()

    def svg_image(self, svg: str, *listed: str) -> str:
        """Return the strip marker of a picture as ``<img>``, with attributes valid in wikitext.

        Browsers run nothing in a picture that ``<img>`` shows. Scripts are refused nevertheless,
        for those who open it by itself, or put it into a page in some other way.
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
        return self.state.strip.add_general(f"<img{written} />", "svg")

    functions = (
        HostFunction("entity", entity, cacheable=True),
        HostFunction("unstripNoWiki", unstrip_nowiki),
        HostFunction("unstrip", unstrip),
        HostFunction("plainText", plain_text),
        HostFunction("svgImage", svg_image),
    )
