"""Refusing SVG files that contain scripts or load external resources.

Files are parsed with expat, which refuses all entity declarations here; their styles are parsed
with tinycss2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

import tinycss2

from wikiapi.xmlfeed import XmlFeed

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
_SCRIPTS = frozenset({"script", "handler", "stylesheet", "iframe", "foreignobject", "embed"})
_ANIMATIONS = frozenset({"animate", "animatecolor", "animatemotion", "animatetransform"})
_PICTURES = tuple(f"data:image/{kind}" for kind in ("png", "jpeg", "jpg", "gif", "webp", "x-png"))
_REMOTE = ("http:", "https:", "data:", "script:", "//")
_DEPTH = 500
_LONGEST_TAG = 1 << 24


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
        self.parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def _doctype(self, _name: str, _system: object, _public: object, has_subset: bool) -> None:
        # A DOCTYPE usually names only an external file, which is never fetched. An internal subset
        # could declare entities.
        if has_subset:
            raise HostileSvg("upload-scripted-dtd")

    def _entity(self, *_declaration: object) -> None:
        raise HostileSvg("upload-scripted-dtd")

    def _instruction(self, target: str, _data: str) -> None:
        if target.lower() == "xml-stylesheet":
            raise HostileSvg("upload-scripted-pi-callback")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        local = local.lower()
        known = namespace.lower()
        if known not in _NAMESPACES and not known.startswith(_NAMESPACES_BELOW):
            raise HostileSvg("uploadscriptednamespace", namespace)
        if local in _SCRIPTS:
            raise HostileSvg("uploaded-script-svg", local)
        self._depth += 1
        if self._depth > _DEPTH:
            raise HostileSvg("uploadinvalidxml")
        if local == "style":
            self._style = []
        values = {attribute.rpartition(" ")[2].lower(): v for attribute, v in attributes.items()}
        for attribute, value in values.items():
            _check_attribute(local, attribute, value)
        _check_animation(local, values)

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if self._style is not None:
            if _fetches("".join(self._style)):
                raise HostileSvg("uploaded-hostile-svg")
            self._style = None

    def _text(self, data: str) -> None:
        if self._style is not None:
            self._style.append(data)


def _check_attribute(element: str, name: str, value: str) -> None:
    target = "".join(value.split()).lower()
    if name.startswith("on"):
        raise HostileSvg("uploaded-event-handler-on-svg", name, value)
    if name == "handler" and target.startswith(_REMOTE):
        raise HostileSvg("uploaded-setting-handler-svg", name, value)
    if name in ("href", "src"):
        _check_target(element, name, value, target)
    if element == "image" and name == "filter" and "url" in target:
        raise HostileSvg("uploaded-image-filter-svg", value)
    if ("(" in value or "\\" in value or "@" in value) and _fetches(value):
        raise HostileSvg("uploaded-remote-url-svg", name, value)


def _check_target(element: str, name: str, value: str, target: str) -> None:
    if target.startswith("#") or not target:
        return
    if target.startswith("data:"):
        if not target.startswith(_PICTURES):
            raise HostileSvg("uploaded-href-unsafe-target-svg", element, name, value)
    elif not (element == "a" and target.startswith(("http://", "https://"))):
        raise HostileSvg("uploaded-href-attribute-svg", element, name, value)


def _check_animation(element: str, values: dict[str, str]) -> None:
    """Refuse animations that set an attribute to something that is refused as a plain value."""
    animated = values.get("attributename", "").strip().lower().rpartition(":")[2]
    if element == "set":
        if animated.startswith("on"):
            raise HostileSvg("uploaded-setting-event-handler-svg", element, values["attributename"])
        if animated == "href":
            raise HostileSvg("uploaded-setting-href-svg")
        if "".join(values.get("to", "").split()).lower().startswith(_REMOTE):
            raise HostileSvg("uploaded-wrong-setting-svg", "to", values["to"])
    elif element in _ANIMATIONS and (animated == "href" or animated.startswith("on")):
        raise HostileSvg("uploaded-animate-svg", element, values["attributename"])


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
        arguments = [one.value for one in token.arguments if one.type == "string"]
        if token.lower_name in ("url", "src", "image", "image-set", "-webkit-image-set") and (
            not all(_is_inside(value) for value in arguments)
        ):
            return True
        if token.lower_name == "expression":
            return True
    return False


def _tokens(nodes: Iterable[Any]) -> Iterator[Any]:
    """Yield tokens, including those nested in functions and brackets."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += getattr(node, "arguments", None) or getattr(node, "content", None) or ()


def _is_inside(address: str) -> bool:
    target = "".join(address.split()).lower()
    return not target or target.startswith("#") or target.startswith(_PICTURES)
