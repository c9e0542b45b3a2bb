"""Places: their coordinates and properties, and the distance between two of them."""

from __future__ import annotations

import math
import re
from types import MappingProxyType
from typing import NamedTuple

EARTH = "earth"
EARTH_RADIUS = 6_371_010.0
"""In metres."""
DEFAULT_DIM = 1000
"""Size in metres of a place for which neither a size nor a known type is given."""

TYPE_DIMS = MappingProxyType(
    {
        "country": 1_000_000, "satellite": 1_000_000, "state": 300_000, "adm1st": 100_000,
        "adm2nd": 30_000, "adm3rd": 10_000, "city": 10_000, "isle": 10_000, "mountain": 10_000,
        "river": 10_000, "waterbody": 10_000, "event": 5000, "forest": 5000, "glacier": 5000,
        "airport": 3000, "railwaystation": 1000, "edu": 1000, "pass": 1000, "camera": 1000,
        "landmark": 1000,
    }
)  # fmt: skip
"""Default sizes in metres by type, as documented for GeoData's ``$wgTypeToDim``."""

_LARGEST_LATITUDE = 90
_LONGITUDES = MappingProxyType({EARTH: 180, "moon": 180})
_OTHER_LONGITUDES = 360
_DEGREES = re.compile(r"[+-]?(?:[0-9]{1,3}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})\Z", re.ASCII)
_DECIMALS = 8


class Place(NamedTuple):
    """A place on a page. Angles are in degrees, ``dim`` in metres; ``None`` means not given."""

    lat: float
    lon: float
    globe: str = EARTH
    primary: bool = False
    dim: int | None = None
    type: str | None = None
    name: str | None = None
    country: str | None = None
    region: str | None = None


class NotOnGlobe(ValueError):
    """An angle is out of range; ``axis`` is ``latitude`` or ``longitude``."""

    def __init__(self, axis: str) -> None:
        """Name the axis."""
        super().__init__(axis)
        self.axis = axis


def read_degrees(text: str) -> float | None:
    """Return an angle written as a decimal number, ``None`` for anything else."""
    return float(text) if _DEGREES.match(text.strip()) else None


def check_angles(lat: float, lon: float, globe: str = EARTH) -> tuple[float, float]:
    """Return the angles, rounded to the precision in which they are stored.

    Raises:
        NotOnGlobe: one of them is out of range.
    """
    if abs(lat) > _LARGEST_LATITUDE:
        raise NotOnGlobe("latitude")
    if abs(lon) > _LONGITUDES.get(globe, _OTHER_LONGITUDES):
        raise NotOnGlobe("longitude")
    return round(lat, _DECIMALS), round(lon, _DECIMALS)


def read_pair(text: str) -> tuple[float, float] | None:
    """Return coordinates on Earth from a request, ``latitude|longitude`` in degrees."""
    parts = [read_degrees(part) for part in text.split("|")]
    if len(parts) != 2 or parts[0] is None or parts[1] is None:
        return None
    try:
        return check_angles(parts[0], parts[1])
    except NotOnGlobe:
        return None


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the distance in metres between two places on Earth, along a great circle."""
    lat_a, lon_a, lat_b, lon_b = map(math.radians, (*a, *b))
    half = (
        math.sin((lat_b - lat_a) / 2) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    )
    return 2 * EARTH_RADIUS * math.asin(min(1.0, math.sqrt(half)))


def number(value: float) -> float | int:
    """Return a number as it is written in answers: an integer if it has no fraction."""
    return int(value) if value == int(value) else value
