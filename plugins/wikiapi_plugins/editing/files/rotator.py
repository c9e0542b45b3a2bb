"""The code of the worker processes that rotate pictures, with Pillow."""

from __future__ import annotations

import warnings
from typing import Any, TypedDict

# Importing a plugin registers its format; otherwise Pillow would import all plugins.
from PIL import Image, ImageOps, ImageSequence, TiffImagePlugin, WebPImagePlugin

Image.preinit()
_QUALITY = 95
_FORMATS = (
    *("JPEG", "PNG", "GIF", "BMP"),
    WebPImagePlugin.WebPImageFile.format,
    TiffImagePlugin.TiffImageFile.format,
)
_CLOCKWISE = {
    90: Image.Transpose.ROTATE_270,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}


class Job(TypedDict):
    """A picture to rotate."""

    source: str
    """Path of the original."""
    target: str
    """Path of the file to write."""
    rotation: int
    """Degrees, clockwise."""
    most: int
    """Maximum number of pixels of the original, in all frames."""


def work(job: Job) -> str:
    """Write a rotated picture. Return an empty text, or the reason why it cannot be rotated."""
    Image.MAX_IMAGE_PIXELS = job["most"]
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        with Image.open(job["source"], formats=_FORMATS) as picture:
            return _write(picture, job)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return "the picture has too many pixels"
    except (OSError, ValueError, SyntaxError) as error:
        return str(error) or type(error).__name__


def _write(picture: Image.Image, job: Job) -> str:
    kind, pixels = picture.format, 0
    frames: list[Image.Image] = []
    durations: list[int] = []
    for frame in ImageSequence.Iterator(picture):
        # A frame may be larger than those before it.
        pixels += frame.width * frame.height
        if pixels > job["most"]:
            return "the picture has too many pixels"
        durations.append(frame.info.get("duration", 0))
        upright = ImageOps.exif_transpose(frame)
        frames.append(upright.transpose(_CLOCKWISE[job["rotation"]]))
    options: dict[str, Any] = {"icc_profile": picture.info.get("icc_profile")}
    if kind == "JPEG":
        options["quality"] = _QUALITY
    if kind == "WEBP":
        options["lossless"] = True
    if len(frames) > 1:
        options |= {"save_all": True, "append_images": frames[1:]}
        if any(durations):
            options |= {"duration": durations, "loop": picture.info.get("loop", 0)}
    frames[0].save(job["target"], kind, **options)
    return ""
