"""How well an image stands for a page, by the default scores of the PageImages extension.

They are those that https://www.mediawiki.org/wiki/Extension:PageImages documents: small images
belong to maintenance templates, very wide or tall ones are banners, earlier ones matter more.
"""

from __future__ import annotations

from typing import NamedTuple

REFUSED = -1000

Table = tuple[tuple[int, int], ...]
"""Scores by the largest value they hold for, ascending; the last holds beyond it as well."""

WIDTHS: Table = ((119, -100), (400, 10), (600, 5), (601, 0))
"""By the width in pixels that an image is shown in."""
GALLERY_WIDTHS: Table = ((99, -100), (100, 0))
"""By the width of the file, for images in galleries, which are all shown alike."""
TENTHS: Table = ((3, -100), (5, 0), (20, 5), (30, 0), (31, -100))
"""By ten times the ratio of width to height."""
POSITIONS = (8, 6, 4, 3)
"""By the place among the images of the page; later ones score nothing for theirs."""

EXCLUDED_CLASS = "notpageimage"
USUAL_THUMBNAIL = 250


class Candidate(NamedTuple):
    """An image in its place. ``shown_width`` is 0 in galleries; sizes are in pixels."""

    name: str
    width: int
    height: int
    shown_width: int
    is_excluded: bool = False


def score(candidate: Candidate, position: int) -> int:
    """The score of an image; it may stand for the page if that is not below 0."""
    if candidate.is_excluded:
        return REFUSED
    if candidate.shown_width:
        total = look_up(WIDTHS, candidate.shown_width)
    else:
        total = look_up(GALLERY_WIDTHS, candidate.width)
    if position < len(POSITIONS):
        total += POSITIONS[position]
    tenths = candidate.width * 10 // candidate.height if candidate.height else 0
    return total + look_up(TENTHS, tenths)


def look_up(table: Table, value: int) -> int:
    """The score of a value."""
    return next((points for largest, points in table if value <= largest), table[-1][1])


def best(candidates: list[Candidate]) -> str | None:
    """The file that stands for the page; the first of equals. A file counts by its best place."""
    scores: dict[str, int] = {}
    for position, candidate in enumerate(candidates):
        points = score(candidate, position)
        scores[candidate.name] = max(points, scores.get(candidate.name, -1))
    name = max(scores, key=lambda name: scores[name], default=None)
    return name if name is not None and scores[name] >= 0 else None
