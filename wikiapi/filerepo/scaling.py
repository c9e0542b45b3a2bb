"""The size that an image is shown in, by MediaWiki's rules.

Thumbnails are known by their width; the height follows from it, rounded half up. A width and a
height together are a box that the image is fitted into.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class ThumbParams:
    """What is asked of a thumbnail. Sizes are in pixels, ``page`` counts from 1."""

    width: int | None = None
    height: int | None = None
    page: int | None = None
    language: str = ""
    quality: str = ""


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


class Scaled(NamedTuple):
    """The size in which an image is shown, and the size of the picture that is sent for it."""

    shown: Size
    physical: Size


def fit(params: ThumbParams, source: Size) -> Scaled | None:
    """Return the size of an image by the parameters, ``None`` if it is impossible.

    A width is needed, and it must come out above 0.
    """
    width = params.width
    if width is None or (params.height is not None and params.height < 0):
        return None
    if params.height is not None and width * source.height > params.height * source.width:
        width = max(fit_box_width(source, params.height), 1)
    if width <= 0:
        return None
    size = Size(width, max(scale_height(source, width), 1))
    return Scaled(size, size)


def fit_box_width(source: Size, height: int) -> int:
    """Return the largest width with which an image stays within a height."""
    if source.height <= 0:
        return 0
    rounded_up = -(-source.width * height // source.height)
    if rounded(rounded_up * source.height, source.width) > height:
        return source.width * height // source.height
    return rounded_up


def scale_height(source: Size, width: int) -> int:
    """Return the height that belongs to a width."""
    return rounded(source.height * width, source.width)


def rounded(dividend: int, divisor: int) -> int:
    """Return a quotient of numbers from 0 rounded half up; 0 if the divisor is 0."""
    return (2 * dividend + divisor) // (2 * divisor) if divisor > 0 else 0
