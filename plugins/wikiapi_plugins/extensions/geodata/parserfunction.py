"""``{{#coordinates:latitude|longitude|primary|parameters|name=...}}``: where something is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from wikiapi.wikitext import FunctionCall, ParserFunction, ParserOutput, escape_text
from wikiapi_plugins.extensions.geodata.places import (
    DEFAULT_DIM,
    EARTH,
    TYPE_DIMS,
    NotOnGlobe,
    Place,
    check_angles,
    read_degrees,
)

DATA = "geodata"
MOST = 500
"""Maximum number of coordinates on one page."""
_SHOWN_NAME = "&#123;&#123;#coordinates:&#125;&#125;"
_BROKEN = "geodata-broken-tags-category"


def coordinates(call: FunctionCall) -> str:
    """Record the place and return an empty text, or else an error message."""
    arguments = [argument for argument in call.args if argument]
    if not arguments:
        return ""
    try:
        place = read_place(arguments, call.state.messages.text("geodata-primary-coordinate"))
    except BadCoordinates:
        return _error(call, "geodata-bad-input")
    except NotOnGlobe as error:
        return _error(call, f"geodata-bad-{error.axis}")
    places = places_of(call.state.output)
    if place.primary and any(other.primary for other in places):
        return _error(call, "geodata-multiple-primary")
    if len(places) >= MOST:
        return _error(call, "geodata-limit-exceeded", MOST, 1)
    if place not in places:
        places.append(place)
    return ""


def places_of(output: ParserOutput) -> list[Place]:
    """Return the places found while rendering a page; the list can be extended."""
    return cast("list[Place]", output.plugin_data.setdefault(DATA, []))


def _error(call: FunctionCall, key: str, *params: int) -> str:
    call.state.notices.add_tracking_category(_BROKEN)
    text = escape_text(call.state.messages.text(key, *params))
    return f'<span class="error">{_SHOWN_NAME}: {text}</span>'


DECLARATION = ParserFunction("#coordinates", coordinates)


_NAMED = re.compile(r"([^\s=]++)\s*+=\s*+(.*)\Z", re.DOTALL)
_HACK = re.compile(r"\s*+([^:\s]++)\s*+:\s*+(.*)\Z", re.DOTALL)
_DIM = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(km|m)?\Z", re.ASCII | re.IGNORECASE)
_SCALE = re.compile(r"[0-9]{1,12}\Z", re.ASCII)
_REGION = re.compile(r"([A-Z]{2})(?:-([A-Z0-9]{1,3}))?", re.ASCII | re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\(.*\Z", re.DOTALL)
_SIXTY = 60
_SCALE_PER_DIM = 10
_LARGEST_DIM = 2_147_483_647
_TEXT_BYTES = {"name": 255, "type": 32, "globe": 32}


class BadCoordinates(ValueError):
    """The arguments contain no valid coordinates."""


def read_place(arguments: Sequence[str], primary_word: str) -> Place:
    """Return the place that arguments describe.

    Args:
        arguments: all arguments, expanded and trimmed.
        primary_word: the word that marks the coordinates of the page's subject.

    Raises:
        BadCoordinates: they contain no valid coordinates.
        NotOnGlobe: an angle is out of range.
    """
    angles: list[str] = []
    facts: dict[str, str] = {}
    primary = False
    for argument in arguments:
        if named := _NAMED.match(argument):
            facts[named[1]] = named[2]
        elif argument.lower() in ("primary", primary_word.lower()):
            primary = True
        elif ":" in argument:
            parts = filter(None, map(_HACK.match, argument.split("_")))
            facts |= {part[1]: part[2].rstrip() for part in parts}
        elif argument:
            angles.append(argument)
    if len(angles) % 2 or not 2 <= len(angles) <= 8:
        raise BadCoordinates
    half = len(angles) // 2
    lat, lon = _angle(angles[:half], "N", "S"), _angle(angles[half:], "E", "W")
    globe = _cut(facts.get("globe", "").lower() or EARTH, "globe")
    lat, lon = check_angles(lat, lon, globe)
    kind = _cut(_IN_BRACKETS.sub("", facts.get("type", "")).strip().lower(), "type")
    country = region = None
    if match := _REGION.fullmatch(facts.get("region", "")):
        country, region = match[1].upper(), match[2].upper() if match[2] else None
    return Place(
        lat,
        lon,
        globe,
        primary,
        _dim(facts, kind),
        kind or None,
        _cut(facts.get("name", ""), "name") or None,
        country,
        region,
    )


def _angle(parts: list[str], positive: str, negative: str) -> float:
    """Return an angle, read from signed degrees or from degrees, minutes, seconds, hemisphere."""
    if len(parts) == 1:
        return _degrees(parts[0])
    hemisphere = parts[-1].upper()
    values = [_degrees(part) for part in parts[:-1]]
    whole = all(value == int(value) for value in values[:-1])
    in_range = all(0 <= value < _SIXTY for value in values[1:])
    if hemisphere not in (positive, negative) or values[0] < 0 or not (whole and in_range):
        raise BadCoordinates
    total = sum((v / float(_SIXTY**place) for place, v in enumerate(values)), 0.0)
    return total if hemisphere == positive else -total


def _degrees(text: str) -> float:
    value = read_degrees(text)
    if value is None:
        raise BadCoordinates
    return value


def _dim(facts: dict[str, str], kind: str) -> int:
    if match := _DIM.match(facts.get("dim", "")):
        metres = float(match[1]) * (1000 if (match[2] or "").lower() == "km" else 1)
        return min(int(metres), _LARGEST_DIM)
    if match := _SCALE.match(facts.get("scale", "")):
        return min(int(match[0]) // _SCALE_PER_DIM, _LARGEST_DIM)
    return TYPE_DIMS.get(kind, DEFAULT_DIM)


def _cut(text: str, field: str) -> str:
    return text.encode("utf-8", "replace")[: _TEXT_BYTES[field]].decode("utf-8", "ignore")
