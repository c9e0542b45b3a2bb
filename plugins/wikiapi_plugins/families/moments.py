"""Moments as they stand in continuation values."""

from __future__ import annotations

from wikiapi.api.params.types.timestamp import compact, parse_moment
from wikiapi.api.query.continuation import bad_continue


def moment_part(part: str) -> str:
    """A moment within a continuation value: 14 digits, or any other form that is read.

    Raises:
        ApiError: ``badcontinue``.
    """
    if len(part) == 14 and part.isascii() and part.isdigit():
        return part
    moment = parse_moment(part)
    if moment is None or len(part) > 40:
        raise bad_continue()
    return compact(moment)
