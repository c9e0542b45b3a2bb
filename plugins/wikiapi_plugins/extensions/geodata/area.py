"""Areas on Earth that are searched, and the tiles they lie in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi_plugins.extensions.geodata.coordinates import EARTH_RADIUS, read_pair
from wikiapi_plugins.extensions.geodata.model import GRANULARITY, GeoTags
from wikiapi_plugins.extensions.geodata.tags import tile

if TYPE_CHECKING:
    from collections.abc import Iterator

_NORTH = 90.0
_DATE_LINE = 180.0
_CIRCLE = 360.0
_MOST_TILES = 2000


class Area(NamedTuple):
    """A box in degrees; ``west`` is greater than ``east`` where it crosses the date line."""

    north: float
    west: float
    south: float
    east: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the box."""
        return (self.north + self.south) / 2, _wrapped(self.west + self._width / 2)

    @property
    def _width(self) -> float:
        return (self.east - self.west) % _CIRCLE

    @property
    def is_too_large(self) -> bool:
        """Whether the box holds more tiles than are looked through at once."""
        rows = (self.north - self.south) * GRANULARITY + 1
        return rows * (self._width * GRANULARITY + 1) > _MOST_TILES

    def conditions(self) -> list[Any]:
        """What rows within the box fulfil; an index finds them by tile."""
        rows = range(tile(self.south), tile(self.north) + 1)
        columns = self._columns()
        in_column = columns[0]
        for other in columns[1:]:
            in_column |= other
        return [GeoTags.gt_lat_int.in_(list(rows)), in_column, GeoTags.gt_lat >= self.south,
                GeoTags.gt_lat <= self.north]  # fmt: skip

    def _columns(self) -> list[Any]:
        return [
            (GeoTags.gt_lon_int >= tile(west))
            & (GeoTags.gt_lon_int <= tile(east))
            & (GeoTags.gt_lon >= west)
            & (GeoTags.gt_lon <= east)
            for west, east in self._strips()
        ]

    def _strips(self) -> Iterator[tuple[float, float]]:
        if self.west <= self.east:
            yield self.west, self.east
        else:
            yield self.west, _DATE_LINE
            yield -_DATE_LINE, self.east


def around(centre: tuple[float, float], radius: float) -> Area:
    """The box around a circle; near a pole it goes all around the globe."""
    lat, lon = centre
    reach = math.degrees(radius / EARTH_RADIUS)
    north, south = min(lat + reach, _NORTH), max(lat - reach, -_NORTH)
    shrunk = math.cos(math.radians(max(abs(north), abs(south))))
    side = reach / shrunk if shrunk > 0 else _CIRCLE
    if side >= _DATE_LINE:
        return Area(north, -_DATE_LINE, south, _DATE_LINE)
    return Area(north, _wrapped(lon - side), south, _wrapped(lon + side))


def read_area(text: str) -> Area | None:
    """A box as requests give it, ``top|left|bottom|right`` in degrees."""
    parts = text.split("|")
    if len(parts) != 4:
        return None
    corners = [read_pair("|".join(parts[:2])), read_pair("|".join(parts[2:]))]
    if corners[0] is None or corners[1] is None or corners[0][0] <= corners[1][0]:
        return None
    return Area(*corners[0], *corners[1])


def _wrapped(lon: float) -> float:
    return (lon + _DATE_LINE) % _CIRCLE - _DATE_LINE
