"""Checking the content of an upload before it is stashed or published.

SVG files are refused if they contain scripts or load external resources. They are parsed completely
with expat, which refuses all entity declarations here; their styles are parsed with tinycss2.
Elements and attributes are judged by their local names: a namespace can be hidden behind any
prefix, and an element may have attributes of equal names in several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

import tinycss2

from wikiapi.api import Arr
from wikiapi.errors import ApiError
from wikiapi.importing.files.mediafile import BadMedia, MediaFacts, read_media
from wikiapi.languages import Message, Plain
from wikiapi.site import Site
from wikiapi.xmlfeed import XmlFeed
from wikiapi_plugins.editing.files import filetypes

_SVG = "http://www.w3.org/2000/svg"
_NAMESPACES = frozenset(
    {
        "",
        _SVG,
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/xml/1998/namespace",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "http://www.w3.org/2000/01/rdf-schema#",
        "http://www.inkscape.org/namespaces/inkscape",
        "http://sodipodi.sourceforge.net/dtd/sodipodi-0.dtd",
        "http://inkscape.sourceforge.net/dtd/sodipodi-0.dtd",
        "http://creativecommons.org/ns#",
        "http://web.resource.org/cc/",
        "http://purl.org/dc/elements/1.1/",
        "http://purl.org/dc/terms/",
        "http://www.bohemiancoding.com/sketch/ns",
        "http://www.serif.com/",
        "http://www.figma.com/figma/ns",
    }
)
"""Namespaces of the elements that drawing programs write, in lower case."""
_NAMESPACES_BELOW = ("http://ns.adobe.com/", "http://schemas.microsoft.com/visio/")
_XML_EVENTS = "http://www.w3.org/2001/xml-events"
_SCRIPTS = frozenset(
    {
        *("script", "handler", "listener", "stylesheet", "link", "iframe", "foreignobject"),
        *("embed", "object", "applet"),
    }
)
_ANIMATIONS = frozenset({"animate", "animatecolor", "animatemotion", "animatetransform"})
_PICTURES = tuple(f"data:image/{kind}" for kind in ("png", "jpeg", "jpg", "gif", "webp", "x-png"))
_FONTS = ("data:font/", "data:application/font-", "data:application/x-font-", "data:;base64,")
_REMOTE = re.compile(r"(?:https?|data|script):|\A//")
_WEB = ("http://", "https://")
_ADDRESSES = frozenset({"href", "src", "base", "ping"})
_BLANKS = re.compile(r"[\x00-\x20]+")
"""What browsers remove from addresses; other spaces are a part of them."""
_FETCHING = frozenset(
    {"url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade"}
)
"""CSS functions with addresses in strings."""
_SUBSTITUTIONS = frozenset({"var", "env", "attr"})
_PUBLIC_ID = "-//W3C//"
_DTDS = frozenset(
    {
        "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd",
        "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11-basic.dtd",
        "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11-tiny.dtd",
        "http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd",
        "http://www.w3.org/TR/2001/PR-SVG-20010719/DTD/svg10.dtd",
    }
)
"""The external DTDs that files may name, as in MediaWiki. Nobody fetches them."""
_ENCODINGS = re.compile(
    r"utf-?8|utf-?16(?:le|be)?|us-ascii|ascii|iso-?8859-[0-9]{1,2}|windows-125[0-8]|koi8-[ru]", re.I
)
"""The encodings that expat and browsers read alike."""
_DEPTH = 500
_LONGEST_TAG = 1 << 24


_MAX_STYLES = 1_000_000
"""Largest number of characters of styles, which take two seconds to check."""


class HostileSvg(Exception):
    """The SVG file must not be published. The arguments are a message's key and parameters."""


def check_svg(path: Path) -> None:
    """Refuse an SVG file that contains scripts or loads external resources.

    Raises:
        HostileSvg: the file is refused; the exception carries the reason.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        try:
            XmlFeed(_Checker().parser, _LONGEST_TAG).read(file)
        except (expat.ExpatError, ValueError, LookupError):
            # ValueError and LookupError: a tag is too long, or the encoding is not supported.
            raise HostileSvg("uploadinvalidxml") from None


class _Checker:
    def __init__(self) -> None:
        self._depth = 0
        self._style: list[str] | None = None
        """The text of the style element that is being read."""
        self._style_length = 0
        """The number of characters of all style elements."""
        self.parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._read_text

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and not _ENCODINGS.fullmatch(encoding):
            raise HostileSvg("uploadscripted")

    def _doctype(
        self, _name: str, system: str | None, public: str | None, has_subset: bool
    ) -> None:
        # An internal subset could declare entities, and attributes of elements.
        is_usual = (public or "").startswith(_PUBLIC_ID) and system in _DTDS
        if has_subset or not (is_usual or system is None):
            raise HostileSvg("upload-scripted-dtd")

    def _entity(self, *_declaration: object) -> None:
        raise HostileSvg("upload-scripted-dtd")

    def _instruction(self, target: str, _data: str) -> None:
        if target.lower() == "xml-stylesheet":
            raise HostileSvg("upload-scripted-pi-callback")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        local = local.lower()
        folded = namespace.lower()
        if folded not in _NAMESPACES and not folded.startswith(_NAMESPACES_BELOW):
            raise HostileSvg("uploadscriptednamespace", namespace)
        if local in _SCRIPTS:
            raise HostileSvg("uploaded-script-svg", local)
        self._depth += 1
        if self._depth > _DEPTH:
            raise HostileSvg("uploadinvalidxml")
        if self._style is not None:
            # Browsers read only the text around it, which would have to be checked without it.
            raise HostileSvg("uploaded-hostile-svg")
        if local == "style":
            self._style = []
        for attribute, value in attributes.items():
            namespace, _, plain = attribute.rpartition(" ")
            if namespace == _XML_EVENTS:
                raise HostileSvg("uploaded-event-handler-on-svg", plain, value)
            _check_attribute(local, plain.lower(), value)
        _check_animation(local, attributes)

    def _end(self, _name: str) -> None:
        self._depth -= 1
        # There is no element within a style, so that this is its end.
        if self._style is not None:
            if _fetches("".join(self._style)):
                raise HostileSvg("uploaded-hostile-svg")
            self._style = None

    def _read_text(self, data: str) -> None:
        if self._style is not None:
            self._style.append(data)
            self._style_length += len(data)
            if self._style_length > _MAX_STYLES:
                raise HostileSvg("uploaded-hostile-svg")


def _check_attribute(element: str, name: str, value: str) -> None:
    target = _address(value)
    if name.startswith("on"):
        raise HostileSvg("uploaded-event-handler-on-svg", name, value)
    if name == "handler" and _REMOTE.search(target):
        raise HostileSvg("uploaded-setting-handler-svg", name, value)
    if name in _ADDRESSES:
        _check_target(element, name, value, target)
    if element == "image" and name == "filter" and "url" in target:
        raise HostileSvg("uploaded-image-filter-svg", value)
    if ("(" in value or "\\" in value or "@" in value) and _fetches(value):
        raise HostileSvg("uploaded-remote-url-svg", name, value)


def _check_target(element: str, name: str, value: str, target: str) -> None:
    if target.startswith("#") or not target:
        return
    if target.startswith("data:") and name != "base":
        if not target.startswith(_PICTURES):
            raise HostileSvg("uploaded-href-unsafe-target-svg", element, name, value)
    elif not (element == "a" and name == "href" and target.startswith(_WEB)):
        raise HostileSvg("uploaded-href-attribute-svg", element, name, value)


def _check_animation(element: str, attributes: Mapping[str, str]) -> None:
    """Refuse animations that set an attribute to something that is refused as a plain value."""
    if element != "set" and element not in _ANIMATIONS:
        return
    for attribute, value in attributes.items():
        name = attribute.rpartition(" ")[2].lower()
        animated = _address(value).rpartition(":")[2] if name == "attributename" else ""
        if element != "set" and (animated in _ADDRESSES or animated.startswith("on")):
            raise HostileSvg("uploaded-animate-svg", element, value)
        if animated.startswith("on"):
            raise HostileSvg("uploaded-setting-event-handler-svg", element, value)
        if animated in _ADDRESSES:
            raise HostileSvg("uploaded-setting-href-svg")
        if element == "set" and name == "to" and _REMOTE.search(_address(value)):
            raise HostileSvg("uploaded-wrong-setting-svg", name, value)


def _address(value: str) -> str:
    """Return a value as browsers read an address, in lower case."""
    return _BLANKS.sub("", value).lower()


def _fetches(style: str) -> bool:
    """Return whether a style refers to anything outside the file, or runs a script."""
    for token in _tokens(tinycss2.parse_component_value_list(style)):
        if token.type == "at-keyword" and token.lower_value == "import":
            return True
        if token.type == "url" and not _is_inside(token.value):
            return True
        if token.type == "error":
            return True
        if token.type != "function":
            continue
        if token.lower_name == "expression":
            return True
        if token.lower_name in _FETCHING and not all(map(_stays_inside, _tokens(token.arguments))):
            return True
    return False


def _stays_inside(token: Any) -> bool:
    """Return whether a part of the arguments of a function with addresses is none from outside."""
    if token.type == "string":
        return _is_inside(token.value)
    return token.type != "function" or token.lower_name not in _SUBSTITUTIONS


def _tokens(nodes: Iterable[Any]) -> Iterator[Any]:
    """Yield tokens, including those nested in functions and brackets."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += getattr(node, "arguments", None) or getattr(node, "content", None) or ()


def _is_inside(address: str) -> bool:
    target = _address(address)
    return not target or target.startswith(("#", *_PICTURES, *_FONTS))


@dataclass(frozen=True, slots=True)
class Verified:
    """A file whose content was checked against its extension, and the facts about it."""

    path: Path
    facts: MediaFacts


def check_size(site: Site, size: int) -> None:
    """Refuse files that are empty or too large.

    Raises:
        ApiError: ``empty-file`` or ``file-too-large``.
    """
    if not size:
        raise ApiError("empty-file", "empty-file")
    most = site.config.editing.upload_bytes
    if size > most:
        raise ApiError("file-too-large", "file-too-large", most)


def check_part(path: Path, mime: str, extension: str) -> None:
    """Refuse dangerous content. It is also used for single chunks of a file.

    Raises:
        ApiError: ``verification-error``.
    """
    if mime in filetypes.BANNED:
        raise refusal("filetype-badmime", mime)
    if filetypes.has_script(path, filetypes.SVG if extension == "svg" else mime):
        raise refusal("uploadscripted")


def verify(path: Path, mime: str, extension: str) -> Verified:
    """Check a file, and return the facts about it.

    Args:
        path: the file; its name must have the extension.
        mime: its MIME type, found from its content.
        extension: the extension under which it is to be published.

    Raises:
        ApiError: ``verification-error``.
    """
    check_part(path, mime, extension.lower())
    if extension and not filetypes.fits(mime, f"x.{extension}"):
        raise refusal("filetype-mime-mismatch", extension, mime)
    if mime == filetypes.SVG or extension.lower() == "svg":
        try:
            check_svg(path)
        except HostileSvg as error:
            raise refusal(*error.args) from error
    try:
        return Verified(path, read_media(path))
    except BadMedia as error:
        raise refusal("upload-unreadable", str(error)) from error


def refusal(key: str, *params: str) -> ApiError:
    """Return the error for refused content, with the reason in its ``details``."""
    message = Message(key, tuple(Plain(param) for param in params))
    return ApiError("verification-error", message, data={"details": Arr((key, *params), "detail")})
