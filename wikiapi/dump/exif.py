"""Exif tags in the form in which MediaWiki keeps them: by name, rationals as ``72/1``."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from PIL import ExifTags, TiffImagePlugin

if TYPE_CHECKING:
    from PIL import Image

_LONGEST = 10_000
# What describes the file's own layout, or is of use to the camera only.
_LEFT_OUT = frozenset(
    {"ExifOffset", "GPSInfo", "MakerNote", "PrintImageMatching", "InteropOffset", "UserComment"}
)


def exif_values(image: Image.Image) -> dict[str, Any]:
    """The tags of a picture that have a name and a plain value."""
    exif = image.getexif()
    tags = {**exif, **exif.get_ifd(ExifTags.IFD.Exif)}
    values = {}
    for number, raw in tags.items():
        name = ExifTags.TAGS.get(number, "")
        value = _value(raw)
        if name and name not in _LEFT_OUT and value is not None:
            values[name] = value
    return values


def _value(raw: object) -> Any:
    if isinstance(raw, TiffImagePlugin.IFDRational):
        return _rational(raw)
    if isinstance(raw, int):
        return raw
    if isinstance(raw, str):
        text = raw.strip("\0 ").encode("utf-8", "replace").decode("utf-8")
        return text[:_LONGEST] or None
    return None


def _rational(raw: TiffImagePlugin.IFDRational) -> str | None:
    if not raw.denominator:
        return None
    value = Fraction(raw.numerator, raw.denominator) if isinstance(raw.numerator, int) else None
    return f"{raw.numerator}/{raw.denominator}" if value is not None else str(float(raw))
