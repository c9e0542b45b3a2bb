"""The functions of ``mw.text`` and ``mw.svg``."""

from __future__ import annotations

import base64
import re
from html.entities import html5

from wikiapi.title import decode_references
from wikiapi.wikitext import checked_attributes, escape_attribute
from wikiapi_plugins.extensions.scribunto.errors import HostError
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library

_NOWIKI = re.compile("\x7f'\"`UNIQ--nowiki-[0-9A-F]{8}-QINU`\"'\x7f")
_IMAGE_ATTRIBUTES = frozenset({"width", "height", "class", "id", "alt", "title", "style"})
_TAGS = re.compile(r"<[^<>]*>")
_SCRIPTS = re.compile(
    r"""<(?:[\w.-]++:)?(?:script|handler|listener|foreignobject|iframe|object|embed)\b"""
    r"""|(?<=[\s"'/])on[a-z]++\s*+=\s*+["']|attributename\s*+=\s*+["']\s*+on""",
    re.IGNORECASE,
)
"""SVG elements and attributes that run scripts or can contain them."""
_SCRIPT_URL = re.compile(
    r"""["';(] *+(?:java|vb)script:|href *+= *+["'] *+data:(?!image/(?:png|jpeg|gif|webp)\b)""",
    re.IGNORECASE,
)
_IGNORED_IN_URLS = str.maketrans("", "", "\t\n\r")


class TextLibrary(Library):
    """Character references, strip markers and SVG images."""

    def entity(self, name: str) -> str | None:
        """Return the text of a named character reference, or ``None``."""
        return html5.get(f"{name};")

    def unstrip_nowiki(self, text: str, decode: bool) -> str:
        """Replace markers of ``<nowiki>`` by its content, with markup escaped or decoded."""
        strip = self.state.strip

        def content_of(match: re.Match[str]) -> str:
            text = strip.unstrip_nowiki(match[0])
            return decode_references(text) if decode else text

        return _NOWIKI.sub(content_of, text)

    def unstrip(self, text: str) -> str:
        """Replace the markers of ``<nowiki>`` by its content, and remove other markers."""
        return self.state.strip.kill(self.unstrip_nowiki(text, decode=False))

    def plain_text(self, text: str) -> str:
        """Return the text without tags and strip markers, with character references decoded."""
        without_markers = self.state.strip.kill(text)
        return decode_references(_TAGS.sub("", without_markers)).strip()

    def svg_image(self, svg: str, *flat_pairs: str) -> str:
        """Return the strip marker of an image as ``<img>``, with attributes valid in wikitext.

        Browsers do not run scripts of images in ``<img>``. Scripts are refused nevertheless,
        because they run if the image is opened on its own or embedded in another way.
        """
        decoded = decode_references(svg)
        script_url = _SCRIPT_URL.search(decoded.translate(_IGNORED_IN_URLS))
        if script_url or _SCRIPTS.search(decoded):
            raise HostError("toImage: a picture may not hold scripts")
        data = base64.b64encode(svg.encode("utf-8", "surrogateescape")).decode()
        requested = {
            name.lower(): value
            for name, value in zip(flat_pairs[::2], flat_pairs[1::2], strict=True)
            if name.lower() in _IMAGE_ATTRIBUTES
        }
        attributes = checked_attributes(requested, "img", self.state.fragments)
        attributes["src"] = f"data:image/svg+xml;base64,{data}"
        html = "".join(f' {name}="{escape_attribute(v)}"' for name, v in attributes.items())
        return self.state.strip.add_general(f"<img{html} />", "svg")

    functions = (
        HostFunction("entity", entity, cacheable=True),
        HostFunction("unstripNoWiki", unstrip_nowiki),
        HostFunction("unstrip", unstrip),
        HostFunction("plainText", plain_text),
        HostFunction("svgImage", svg_image),
    )
