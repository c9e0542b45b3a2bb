"""The task of the worker processes that read the size and metadata of pictures.

Pillow reads only the headers of pictures, except for small animations, whose frames are decoded.
"""

from __future__ import annotations

import mimetypes
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image, UnidentifiedImageError

from wikiapi.importing.files.mediafile import exif_values
from wikiapi.importing.files.svgfile import UnsafeSvg, read_svg

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
        mime, (width, height, bits, metadata) = _read(Path(job))
    except BadPicture as error:
        return {"refused": str(error)}
    facts = {"mime": mime, "width": width, "height": height, "bits": bits}
    return {**facts, "metadata": metadata}


def _read(path: Path) -> tuple[str, Reading]:
    guessed = mimetypes.guess_type(path.name)[0] or ""
    if guessed == _SVG:
        return _SVG, _read_svg(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return _open_picture(path, guessed)
    except UnidentifiedImageError as error:
        raise BadPicture("not a picture in a known format") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise BadPicture("a picture with too many pixels") from error
    except (OSError, ValueError, SyntaxError, EOFError, Warning) as error:
        raise BadPicture(f"damaged: {error}") from error


def _open_picture(path: Path, guessed: str) -> tuple[str, Reading]:
    with Image.open(path) as image:
        mime = Image.MIME.get(image.format or "", guessed)
        if mime != guessed:
            raise BadPicture(f"its name says {guessed}, but it is {mime}")
        read = _READERS.get(mime, _read_other)
        return mime, read(image, path)


def _read_svg(path: Path) -> Reading:
    try:
        facts = read_svg(path)
    except UnsafeSvg as error:
        raise BadPicture(str(error)) from error
    metadata: dict[str, Any] = {
        "version": 2,
        "width": facts.width,
        "height": facts.height,
        "originalWidth": facts.original_width,
        "originalHeight": facts.original_height,
        "title": facts.title,
        "description": facts.description,
        "translations": [],
    }
    present = {name: value for name, value in metadata.items() if value != ""}
    return facts.width, facts.height, 0, present


def _read_png(image: Image.Image, path: Path) -> Reading:
    with path.open("rb") as file:
        head = file.read(26)
    bits, colour = head[24], head[25]
    frames = getattr(image, "n_frames", 1)
    metadata = {
        "frameCount": frames if frames > 1 else 0,
        "loopCount": image.info.get("loop", 1) if frames > 1 else 1,
        "duration": _duration(image, frames),
        "bitDepth": bits,
        "colorType": _PNG_COLOURS.get(colour, "unknown"),
        "metadata": {**_png_texts(image), "_MW_PNG_VERSION": 1},
    }
    return *image.size, bits, metadata


def _png_texts(image: Image.Image) -> dict[str, Any]:
    texts = {key: value for key, value in image.info.items() if isinstance(value, str)}
    return {
        name: {"x-default": str(texts[key]), "_type": "lang"}
        for key, name in _PNG_TEXTS.items()
        if key in texts
    }


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
    values = exif_values(image)
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
