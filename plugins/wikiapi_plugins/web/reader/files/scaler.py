"""The code of the worker processes that scale pictures, with Pillow."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TypedDict

# Importing a plugin registers its format; otherwise Pillow would import all plugins.
from PIL import Image, ImageOps, ImageSequence, WebPImagePlugin

Image.preinit()
_FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/gif": "GIF", "image/webp": "WEBP"}
_QUALITY, _LOW_QUALITY = 80, 30
_MAX_FRAMES = 200
MAX_ANIMATED_PIXELS = 12_500_000
"""Largest animation in pixels of all frames, as in MediaWiki; larger ones become still images."""
_READ = ("JPEG", "PNG", "GIF", WebPImagePlugin.WebPImageFile.format, "BMP")
"""The formats that are read. Pillow supports more, but wikis do not use them."""


class Job(TypedDict):
    """A picture to scale."""

    source: str
    """Path of the original."""
    target: str
    """Path of the file to write."""
    width: int
    height: int
    mime: str
    """MIME type of the result."""
    most: int
    """Maximum number of pixels of the original."""
    low: bool
    """Whether a small file is more important than its quality."""


class CannotScale(Exception):
    """The file is not a picture, or the picture is broken or too large."""


def work(job: Job) -> str:
    """Write a scaled picture. Return an empty text, or the reason why it cannot be scaled."""
    Image.MAX_IMAGE_PIXELS = job["most"]
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        written = _FORMATS.get(job["mime"])
        if written is None:
            raise CannotScale(f"no thumbnails are of the type {job['mime']}")
        if job["width"] * job["height"] > job["most"]:
            raise CannotScale("the thumbnail would have too many pixels")
        with Image.open(job["source"], formats=_READ) as picture:
            _write(picture, written, job)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return "the picture has too many pixels"
    except (CannotScale, OSError, ValueError, SyntaxError) as error:
        return str(error) or type(error).__name__
    return ""


def _write(picture: Image.Image, written: str, job: Job) -> None:
    size = (job["width"], job["height"])
    if written == "GIF" and _is_animation(picture):
        frames = [_scaled(frame, size) for frame in _frames(picture)]
        options = {
            "duration": picture.info.get("duration", 100),
            "loop": picture.info.get("loop", 0),
            "disposal": 2,
        }
        frames[0].save(job["target"], "GIF", save_all=True, append_images=frames[1:], **options)
        return
    picture.draft("RGB", (size[0] * 2, size[1] * 2))
    ImageOps.exif_transpose(picture, in_place=True)
    scaled = _scaled(picture, size)
    if written == "JPEG":
        quality = _LOW_QUALITY if job["low"] else _QUALITY
        scaled.convert("RGB").save(job["target"], written, quality=quality, progressive=True)
    elif written == "GIF":
        scaled.save(job["target"], written)
    else:
        scaled.save(job["target"], written, optimize=False)


def _is_animation(picture: Image.Image) -> bool:
    """Return whether a picture is an animation that is small enough to be scaled as one."""
    frames = getattr(picture, "n_frames", 1)
    return 1 < frames <= _MAX_FRAMES and frames * _pixels(picture) <= MAX_ANIMATED_PIXELS


def _frames(picture: Image.Image) -> Iterator[Image.Image]:
    """Yield the frames of an animation.

    Their pixels are counted again, because a frame may be larger than those before it.
    """
    pixels = 0
    for frame in ImageSequence.Iterator(picture):
        pixels += _pixels(frame)
        if pixels > MAX_ANIMATED_PIXELS:
            raise CannotScale("the frames of the picture have too many pixels")
        yield frame


def _pixels(picture: Image.Image) -> int:
    return picture.width * picture.height


def _scaled(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the scaled picture. Palettes are first converted to colours, which can be mixed."""
    mode = picture.mode
    if mode in ("P", "PA", "1") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
    elif mode not in ("RGB", "RGBA", "L", "LA"):
        picture = picture.convert("RGB")
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
