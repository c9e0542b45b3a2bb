"""Makes smaller pictures with Pillow, within limits."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from PIL import Image, ImageOps, ImageSequence

if TYPE_CHECKING:
    from pathlib import Path

    from wikiapi.filerepo.scaling import Size

_FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/gif": "GIF", "image/webp": "WEBP"}
_QUALITY, _LOW_QUALITY = 80, 30
_MOST_FRAMES = 200
_READ = ("JPEG", "PNG", "GIF", "WEBP", "BMP")
"""The formats that are read at all; Pillow knows more, and nobody needs them here."""


class CannotScale(Exception):
    """The picture is broken, too large, or no picture."""


def scale(path: Path, size: Size, mime: str, target: Path, most: int, *, low: bool = False) -> None:
    """Write a picture in another size.

    Args:
        path: the original.
        size: of the result, in pixels.
        mime: the type of the result.
        target: where to write it.
        most: pixels that the original may have, all frames together.
        low: whether a small file matters more than its looks.

    Raises:
        CannotScale: it cannot be read, or is too large.
    """
    written = _FORMATS.get(mime)
    if written is None:
        raise CannotScale(f"no thumbnails are of the type {mime}")
    try:
        # A picture over the limit is refused by its own check below, with or without a warning.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(path, formats=_READ)
        with picture:
            _check(picture, most)
            _write(picture, size, written, target, low=low)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise CannotScale(str(error)) from error


def _check(picture: Image.Image, most: int) -> None:
    if picture.width * picture.height > most:
        raise CannotScale("the picture has too many pixels")


def _write(picture: Image.Image, size: Size, written: str, target: Path, *, low: bool) -> None:
    frames = getattr(picture, "n_frames", 1)
    if written == "GIF" and 1 < frames <= _MOST_FRAMES:
        _write_animation(picture, size, target)
        return
    picture.draft("RGB", (size.width * 2, size.height * 2))
    scaled = _scaled(ImageOps.exif_transpose(picture), size)
    if written == "JPEG":
        quality = _LOW_QUALITY if low else _QUALITY
        scaled.convert("RGB").save(target, written, quality=quality, progressive=True)
    elif written == "GIF":
        scaled.save(target, written)
    else:
        scaled.save(target, written, optimize=False)


def _write_animation(picture: Image.Image, size: Size, target: Path) -> None:
    frames = [_scaled(frame, size) for frame in ImageSequence.Iterator(picture)]
    options = {
        "duration": picture.info.get("duration", 100),
        "loop": picture.info.get("loop", 0),
        "disposal": 2,
    }
    frames[0].save(target, "GIF", save_all=True, append_images=frames[1:], **options)


def _scaled(picture: Image.Image, size: Size) -> Image.Image:
    """Palettes are resolved first: neighbouring colours can only be mixed as colours."""
    mode = picture.mode
    if mode in ("P", "PA", "1") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
    elif mode not in ("RGB", "RGBA", "L", "LA"):
        picture = picture.convert("RGB")
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
