"""The task of the processes that make smaller pictures, with Pillow."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TypedDict

# Formats are registered when they are imported; Pillow would import all that it has.
from PIL import Image, ImageOps, ImageSequence, WebPImagePlugin

Image.preinit()
_FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/gif": "GIF", "image/webp": "WEBP"}
_QUALITY, _LOW_QUALITY = 80, 30
_MOST_FRAMES = 200
MOST_ANIMATED = 12_500_000
"""Pixels of all frames of an animation, as MediaWiki has it; larger ones are shown as a still."""
_READ = ("JPEG", "PNG", "GIF", WebPImagePlugin.WebPImageFile.format, "BMP")
"""The formats that are read; Pillow knows more, which wikis do not use."""


class Job(TypedDict):
    """A picture to be scaled."""

    source: str
    """Path of the original."""
    target: str
    """Path of the file to write."""
    width: int
    height: int
    mime: str
    """The type of the result."""
    most: int
    """Pixels that the original may have."""
    low: bool
    """Whether a small file matters more than its looks."""


class CannotScale(Exception):
    """The picture is broken, too large, or no picture."""


def work(job: Job) -> str:
    """Write a picture in another size; return why there is none, or an empty text."""
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
        _write_animation(picture, size, job["target"])
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
    """Return whether all frames are shown, which requires that they have not too many pixels."""
    frames = getattr(picture, "n_frames", 1)
    return 1 < frames <= _MOST_FRAMES and frames * _pixels(picture) <= MOST_ANIMATED


def _write_animation(picture: Image.Image, size: tuple[int, int], target: str) -> None:
    frames = [_scaled(frame, size) for frame in _frames(picture)]
    options = {
        "duration": picture.info.get("duration", 100),
        "loop": picture.info.get("loop", 0),
        "disposal": 2,
    }
    frames[0].save(target, "GIF", save_all=True, append_images=frames[1:], **options)


def _frames(picture: Image.Image) -> Iterator[Image.Image]:
    """Yield the frames of an animation. Any of them may be larger than those before."""
    pixels = 0
    for frame in ImageSequence.Iterator(picture):
        pixels += _pixels(frame)
        if pixels > MOST_ANIMATED:
            raise CannotScale("the frames of the picture have too many pixels")
        yield frame


def _pixels(picture: Image.Image) -> int:
    return picture.width * picture.height


def _scaled(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the scaled picture; palettes are resolved first, since only colours can be mixed."""
    mode = picture.mode
    if mode in ("P", "PA", "1") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
    elif mode not in ("RGB", "RGBA", "L", "LA"):
        picture = picture.convert("RGB")
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
