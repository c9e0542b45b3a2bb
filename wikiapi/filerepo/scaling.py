"""Computes the size of thumbnails by MediaWiki's rules.

A thumbnail is requested by its width, and its height is computed from that, rounded half up. If a
height is given as well, the image is scaled to fit into the box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class ThumbParams:
    """The parameters of a thumbnail. Sizes are in pixels; ``page`` counts from 1."""

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
    """The size at which an image is shown, and the size of the picture file that is sent."""

    display: Size
    physical: Size


def fit(params: ThumbParams, source: Size) -> Scaled | None:
    """Return the size of an image for the parameters, or ``None`` if they are not valid.

    A width is required, and the width that results must be greater than 0.
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
    """Return the largest width at which an image does not exceed a height."""
    if source.height <= 0:
        return 0
    rounded_up = -(-source.width * height // source.height)
    if rounded(rounded_up * source.height, source.width) > height:
        return source.width * height // source.height
    return rounded_up


def scale_height(source: Size, width: int) -> int:
    """Return the height of an image that is scaled to a width."""
    return rounded(source.height * width, source.width)


def rounded(dividend: int, divisor: int) -> int:
    """Return the quotient of two non-negative numbers, rounded half up; 0 if the divisor is 0."""
    return (2 * dividend + divisor) // (2 * divisor) if divisor > 0 else 0
