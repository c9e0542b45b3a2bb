"""Reads the size, title and description of an SVG file, and checks that it is safe to serve.

Entities are never resolved: a document that declares any is refused, and so is one that contains
scripts.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from wikiapi.xmlfeed import EndlessTag, XmlFeed

_DEFAULT_SIZE = 512.0
_NUMBER = r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|[+-]?\.\d+(?:[eE][+-]?\d+)?"
_LENGTH = re.compile(rf"\s*({_NUMBER})\s*(em|ex|px|pt|pc|cm|mm|in|%|)", re.ASCII)
_BOX_SEPARATOR = re.compile(r"[\s,]+")
# Pixels per unit, at MediaWiki's 90 dots per inch.
_UNITS = {
    "px": 1.0, "pt": 1.25, "pc": 15.0, "mm": 3.543307, "cm": 35.43307, "in": 90.0, "em": 16.0,
    "ex": 12.0, "": 1.0,
}  # fmt: skip
_UNSAFE_ELEMENTS = frozenset({"script", "handler", "foreignobject", "iframe", "embed", "object"})
_UNSAFE_ADDRESS = re.compile(r"\s*(?:javascript|vbscript|data\s*:\s*text)", re.IGNORECASE)
_TEXTS = ("title", "desc")
_TEXT_CHARS = 10_000
_DEPTH = 500
_LONGEST_TAG = 1 << 24


class UnsafeSvg(ValueError):
    """The file is not an SVG, or one that must not be served."""


@dataclass(frozen=True, slots=True)
class SvgFacts:
    """The facts about an SVG. Sizes are in pixels; the original ones are as written."""

    width: int
    height: int
    original_width: str
    original_height: str
    title: str
    description: str


def read_svg(path: Path) -> SvgFacts:
    """Return the facts about an SVG file.

    Raises:
        UnsafeSvg: the file is not an SVG, or one that must not be served.
        OSError: the file cannot be read.
    """
    reader = _SvgReader()
    with path.open("rb") as file:
        try:
            XmlFeed(reader.parser, _LONGEST_TAG).read(file)
        except expat.ExpatError as error:
            raise UnsafeSvg(f"not well-formed: {error}") from None
        except EndlessTag as error:
            raise UnsafeSvg(str(error)) from None
    return reader.facts()


class _SvgReader:
    def __init__(self) -> None:
        self._path: list[str] = []
        self._root: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def facts(self) -> SvgFacts:
        width, height = self._root.get("width", ""), self._root.get("height", "")
        size = pixel_size(width, height, self._root.get("viewBox", ""))
        return SvgFacts(
            *size, width, height, self._texts.get("title", ""), self._texts.get("desc", "")
        )

    def _doctype(self, _name: str, _system: object, _public: object, has_subset: bool) -> None:
        # The usual DOCTYPE refers to a file that is not fetched; a subset can declare entities.
        if has_subset:
            raise UnsafeSvg("it declares entities")

    def _entity(self, *_declaration: object) -> None:
        raise UnsafeSvg("it declares entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if not self._path:
            self._begin(local, attributes)
        if local.lower() in _UNSAFE_ELEMENTS:
            raise UnsafeSvg(f"it contains <{local}>")
        for attribute, value in attributes.items():
            _check_attribute(attribute.rpartition(":")[2].lower(), value)
        self._path.append(local)
        if len(self._path) > _DEPTH:
            raise UnsafeSvg("its elements are nested too deeply")

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if name != "svg":
            raise UnsafeSvg(f"its root is <{name[:40]}>")
        self._root = attributes

    def _end(self, _name: str) -> None:
        self._path.pop()

    def _text(self, data: str) -> None:
        if len(self._path) == 2 and (name := self._path[1]) in _TEXTS:
            self._texts[name] = (self._texts.get(name, "") + data)[:_TEXT_CHARS]


def _check_attribute(name: str, value: str) -> None:
    if name.startswith("on"):
        raise UnsafeSvg(f"it has the attribute {name}")
    if name == "href" and _UNSAFE_ADDRESS.match(value):
        raise UnsafeSvg("it links to a script")


def pixel_size(width: str, height: str, view_box: str) -> tuple[int, int]:
    """Return the size in pixels at which MediaWiki shows an SVG whose root has these attributes."""
    box = _view_box(view_box)
    ratio = box[0] / box[1] if box else 1.0
    wide = _length(width, _DEFAULT_SIZE) if width else 0.0
    high = _length(height, _DEFAULT_SIZE / ratio) if height else 0.0
    if not wide and not high:
        wide, high = _DEFAULT_SIZE, _DEFAULT_SIZE / ratio
    elif wide and not high:
        high = wide / ratio
    elif high and not wide:
        wide = high * ratio
    return _whole(wide), _whole(high)


def _view_box(text: str) -> tuple[float, float] | None:
    parts = _BOX_SEPARATOR.split(text.strip())
    if len(parts) != 4 or not all(re.fullmatch(_NUMBER, part, re.ASCII) for part in parts):
        return None
    width, height = float(parts[2]), float(parts[3])
    if not (0 < width < math.inf and 0 < height < math.inf):
        return None
    # The ratio can overflow or underflow although both numbers are valid.
    return (width, height) if 0 < width / height < math.inf else None


def _length(text: str, whole: float) -> float:
    match = _LENGTH.match(text)
    if match is None:
        return 0.0
    number = float(match[1])
    return number * whole / 100 if match[2] == "%" else number * _UNITS[match[2]]


def _whole(number: float) -> int:
    return int(min(max(number + 0.5, 0), 1 << 30)) if math.isfinite(number) else 0
