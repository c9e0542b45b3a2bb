"""The task of the worker processes that read the size and metadata of pictures.

Pillow reads only the headers of pictures, except for small animations, whose frames are decoded.
SVG files must be safe to serve: entities are never resolved, so a document that declares any is
refused, and so is one that contains scripts.
"""

from __future__ import annotations

import math
import mimetypes
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.parsers import expat

from PIL import ExifTags, Image, TiffImagePlugin, UnidentifiedImageError

from wikiapi.xmlfeed import EndlessTag, XmlFeed

Reading = tuple[int, int, int, dict[str, Any]]

_FRAME_PIXELS = 200_000_000
_SVG = "image/svg+xml"
_PNG_COLOURS = {
    0: "greyscale", 2: "truecolour", 3: "index-coloured", 4: "greyscale-alpha",
    6: "truecolour-alpha",
}  # fmt: skip
_PNG_TEXTS = {
    "Title": "ObjectName", "Author": "Artist", "Description": "ImageDescription",
    "Copyright": "Copyright", "Software": "Software", "Source": "OriginalDocumentID",
    "Comment": "UserComment",
}  # fmt: skip
_LONGEST_VALUE = 10_000
# EXIF tags about the layout of the file itself, or of use only to the camera.
_LEFT_OUT = frozenset(
    {"ExifOffset", "GPSInfo", "MakerNote", "PrintImageMatching", "InteropOffset", "UserComment"}
)

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
_SVG_TEXTS = ("title", "desc")
_TEXT_CHARS = 10_000
_DEPTH = 500
_LONGEST_TAG = 1 << 24


class BadPicture(Exception):
    """The picture must not be imported; the text says why."""


def work(job: str) -> dict[str, Any]:
    """Read a picture.

    Args:
        job: the path of the picture.

    Returns:
        A dictionary with ``mime``, ``width``, ``height``, ``bits`` and ``metadata``; or with
        ``refused``, the reason why the picture must not be imported.
    """
    try:
        mime, (width, height, bits, metadata) = _read_picture(Path(job))
    except BadPicture as error:
        return {"refused": str(error)}
    facts = {"mime": mime, "width": width, "height": height, "bits": bits}
    return {**facts, "metadata": metadata}


def _read_picture(path: Path) -> tuple[str, Reading]:
    guessed = mimetypes.guess_type(path.name)[0] or ""
    if guessed == _SVG:
        return _SVG, read_svg(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(path) as image:
                mime = Image.MIME.get(image.format or "", guessed)
                if mime != guessed:
                    raise BadPicture(f"its name says {guessed}, but it is {mime}")
                return mime, _READERS.get(mime, _read_other)(image, path)
    except UnidentifiedImageError as error:
        raise BadPicture("not a picture in a known format") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise BadPicture("a picture with too many pixels") from error
    except (OSError, ValueError, SyntaxError, EOFError, Warning) as error:
        raise BadPicture(f"damaged: {error}") from error


def _read_png(image: Image.Image, path: Path) -> Reading:
    with path.open("rb") as file:
        head = file.read(26)
    bits, colour = head[24], head[25]
    frames = getattr(image, "n_frames", 1)
    texts = {
        name: {"x-default": str(text), "_type": "lang"}
        for key, name in _PNG_TEXTS.items()
        if isinstance(text := image.info.get(key), str)
    }
    metadata = {
        "frameCount": frames if frames > 1 else 0,
        "loopCount": image.info.get("loop", 1) if frames > 1 else 1,
        "duration": _duration(image, frames),
        "bitDepth": bits,
        "colorType": _PNG_COLOURS.get(colour, "unknown"),
        "metadata": {**texts, "_MW_PNG_VERSION": 1},
    }
    return *image.size, bits, metadata


def _read_gif(image: Image.Image, path: Path) -> Reading:
    with path.open("rb") as file:
        head = file.read(13)
    frames = getattr(image, "n_frames", 1)
    metadata = {
        "frameCount": frames,
        "looped": "loop" in image.info,
        "duration": _duration(image, frames),
        "metadata": {"_MW_GIF_VERSION": 1},
    }
    return *image.size, gif_bits(head[10]), metadata


def gif_bits(flags: int) -> int:
    """Return the bits per pixel for the flags in a GIF's header; 1 if it has no colour table."""
    return (flags & 7) + 1 if flags & 0x80 else 1


def _duration(image: Image.Image, frames: int) -> float:
    """Return the length of an animation in seconds; 0 for still pictures and very large ones."""
    if frames < 2 or frames * image.width * image.height > _FRAME_PIXELS:
        return 0
    milliseconds, pixels = 0.0, 0
    for number in range(frames):
        image.seek(number)
        # A frame can be larger than the first.
        pixels += image.width * image.height
        if pixels > _FRAME_PIXELS:
            return 0
        milliseconds += float(image.info.get("duration", 0))
    return round(milliseconds / 1000, 3)


def _read_jpeg(image: Image.Image, _path: Path) -> Reading:
    exif = image.getexif()
    values: dict[str, Any] = {}
    for number, value in {**exif, **exif.get_ifd(ExifTags.IFD.Exif)}.items():
        name = ExifTags.TAGS.get(number, "")
        if not name or name in _LEFT_OUT:
            continue
        if isinstance(value, TiffImagePlugin.IFDRational):
            numerator, denominator = value.numerator, value.denominator
            if denominator:
                is_fraction = isinstance(numerator, int)
                values[name] = f"{numerator}/{denominator}" if is_fraction else str(float(value))
        elif isinstance(value, int):
            values[name] = value
        elif isinstance(value, str):
            text = value.strip("\0 ").encode("utf-8", "replace").decode("utf-8")
            if text:
                values[name] = text[:_LONGEST_VALUE]
    width, height = image.size
    if values.get("Orientation", 1) in (5, 6, 7, 8):
        # The picture is shown rotated; MediaWiki stores the size as shown.
        width, height = height, width
    return width, height, 8, {**values, "MEDIAWIKI_EXIF_VERSION": 2}


def _read_webp(image: Image.Image, _path: Path) -> Reading:
    animated = getattr(image, "n_frames", 1) > 1
    transparent = image.mode in ("RGBA", "LA", "P")
    facts = {"animated": animated, "transparency": transparent}
    return *image.size, 8, {**facts, "metadata": {"_MW_WEBP_VERSION": 2}}


def _read_other(image: Image.Image, _path: Path) -> Reading:
    return *image.size, 8, {}


_READERS: dict[str, Callable[[Image.Image, Path], Reading]] = {
    "image/png": _read_png,
    "image/gif": _read_gif,
    "image/jpeg": _read_jpeg,
    "image/webp": _read_webp,
}


# SVG


def read_svg(path: Path) -> Reading:
    """Return the size and the metadata of an SVG file: its title, description and original size.

    Raises:
        BadPicture: the file is not an SVG, or one that must not be served.
        OSError: the file cannot be read.
    """
    reader = _SvgReader()
    with path.open("rb") as file:
        try:
            XmlFeed(reader.parser, _LONGEST_TAG).read(file)
        except expat.ExpatError as error:
            raise BadPicture(f"not well-formed: {error}") from None
        except EndlessTag as error:
            raise BadPicture(str(error)) from None
    root, texts = reader.root, reader.texts
    original_width, original_height = root.get("width", ""), root.get("height", "")
    width, height = pixel_size(original_width, original_height, root.get("viewBox", ""))
    metadata: dict[str, Any] = {
        "version": 2,
        "width": width,
        "height": height,
        "originalWidth": original_width,
        "originalHeight": original_height,
        "title": texts.get("title", ""),
        "description": texts.get("desc", ""),
        "translations": [],
    }
    present = {name: value for name, value in metadata.items() if value != ""}
    return width, height, 0, present


class _SvgReader:
    """A parser, and what it has read: the attributes of the root, and the texts about it."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self.root: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def _doctype(self, _name: str, _system: object, _public: object, has_subset: bool) -> None:
        # The usual DOCTYPE refers to a file that is not fetched; a subset can declare entities.
        if has_subset:
            raise BadPicture("it declares entities")

    def _entity(self, *_declaration: object) -> None:
        raise BadPicture("it declares entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if not self._path:
            if local != "svg":
                raise BadPicture(f"its root is <{local[:40]}>")
            self.root = attributes
        if local.lower() in _UNSAFE_ELEMENTS:
            raise BadPicture(f"it contains <{local}>")
        for attribute, value in attributes.items():
            key = attribute.rpartition(":")[2].lower()
            if key.startswith("on"):
                raise BadPicture(f"it has the attribute {key}")
            if key == "href" and _UNSAFE_ADDRESS.match(value):
                raise BadPicture("it links to a script")
        self._path.append(local)
        if len(self._path) > _DEPTH:
            raise BadPicture("its elements are nested too deeply")

    def _end(self, _name: str) -> None:
        self._path.pop()

    def _text(self, data: str) -> None:
        if len(self._path) == 2 and (name := self._path[1]) in _SVG_TEXTS:
            self.texts[name] = (self.texts.get(name, "") + data)[:_TEXT_CHARS]


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
