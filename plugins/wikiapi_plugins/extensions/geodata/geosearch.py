"""``list=geosearch``."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import Any, NamedTuple

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Obj,
    enum,
    integer,
    limit,
    namespace,
    string,
    title_data,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.store import PageRow
from wikiapi.store.models import Page
from wikiapi.store.queries import PAGE_COLUMNS
from wikiapi_plugins.extensions.geodata import tags
from wikiapi_plugins.extensions.geodata.coordinates import (
    PRIMARY,
    angles,
    facts,
    origin_of_page,
    primary_param,
    prop_param,
)
from wikiapi_plugins.extensions.geodata.places import (
    EARTH,
    EARTH_RADIUS,
    Place,
    distance,
    number,
    read_pair,
)
from wikiapi_plugins.extensions.geodata.tags import GRANULARITY, GeoTags, Tag, tile

_SOURCES = ("coord", "page", "bbox")
_WIDTH = len(tags.COLUMNS)
_LARGEST_RADIUS = 10_000


class _Search(NamedTuple):
    """A search: a box, the point from which distances are measured, and their maximum.

    ``radius`` is in metres, ``None`` for the whole box. ``without_page`` is the id of a page to
    leave out, or 0.
    """

    area: Area
    centre: tuple[float, float]
    radius: float | None
    without_page: int


class _Hit(NamedTuple):
    distance: float
    tag_id: int
    place: Place
    page: PageRow


class GeoSearch(ListModule):
    """Returns pages that have coordinates within the specified area."""

    name = "geosearch"
    prefix = "gs"
    element = "gs"
    params = (
        string("coord", "The centre of the search: latitude|longitude."),
        string("page", "Search around the subject of this page."),
        string("bbox", "Search in this box: top|left|bottom|right."),
        integer("radius", "The radius of the search in metres.", default=500, minimum=10,
                maximum=_LARGEST_RADIUS, enforce=True),
        integer("maxdim", "Return only places smaller than this, in metres."),
        enum("sort", "distance", "relevance", default="distance",
             help="The order of the list; relevance is not known, so the nearest come first."),
        limit(),
        enum("globe", EARTH, default=EARTH, help="The planet or moon to search on."),
        namespace(multi=True, default=0),
        prop_param(""),
        primary_param(),
    )  # fmt: skip
    examples = (
        ("action=query&list=geosearch&gsradius=10000&gscoord=37.786971|-122.399677",
         "Pages about places near a point"),
        ("action=query&list=geosearch&gsbbox=37.8|-122.42|37.78|-122.4", "Pages within a box"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:GeoData#API",)

    def execute(self) -> None:
        """List the places."""
        # There is no continuation: places beyond the limit are left out.
        items = []
        for hit in self._hits():
            title = self.site.titles.make(*hit.page.key)
            item = Obj({"pageid": hit.page.page_id} | title_data(title) | angles(hit.place))
            item["dist"] = number(round(hit.distance, 1))
            item[PRIMARY] = hit.place.primary
            item |= facts(hit.place, self.p["prop"] or ())
            items.append(item)
        self.result.append_all(self.list_path, items, self.element)

    def generate(self, pages: GeneratedPages) -> None:
        """Add the pages, each with its index in the list."""
        for hit in self._hits():
            if hit.page.key not in pages.data:
                pages.rows.append(hit.page)
                pages.data[hit.page.key] = {"index": len(pages.data) - 1}

    def _hits(self) -> list[_Hit]:
        search = self._search()
        if not tags.is_stored(self.site):
            return []
        conditions = [*search.area.conditions(), GeoTags.gt_globe == self.p["globe"]]
        conditions.append(Page.page_namespace.in_(list(self.p["namespace"])))
        if self.p[PRIMARY] != "all":
            conditions.append(GeoTags.gt_primary == int(self.p[PRIMARY] == PRIMARY))
        if self.p["maxdim"] is not None:
            conditions.append(GeoTags.gt_dim < self.p["maxdim"])
        if search.without_page:
            conditions.append(GeoTags.gt_page_id != search.without_page)
        query = GeoTags.select(*tags.COLUMNS, *PAGE_COLUMNS)
        query = query.join(Page, on=(Page.page_id == GeoTags.gt_page_id)).where(*conditions)
        hits = []
        for row in self.rows(query):
            tag, page = Tag(*row[:_WIDTH]), PageRow(*row[_WIDTH:])
            metres = distance(search.centre, (tag.lat, tag.lon))
            if search.radius is None or metres <= search.radius:
                hits.append(_Hit(metres, tag.tag_id, tag.place, page))
        return sorted(hits, key=attrgetter("distance", "tag_id"))[: self.p["limit"]]

    def _search(self) -> _Search:
        sources = [name for name in _SOURCES if self.p[name] is not None]
        if len(sources) != 1:
            names = ", ".join(f'"{self.full(name)}"' for name in sources or _SOURCES)
            if sources:
                raise ApiError("invalidparammix", "apierror-invalidparammix", Plain(names))
            message = "apierror-missingparam-at-least-one-of"
            raise ApiError("missingparam", message, Plain(names))
        if sources[0] == "bbox":
            area = read_area(self.p["bbox"])
            if area is None:
                raise ApiError("invalid-bbox", "apierror-geodata-invalidbox")
            if area.is_too_large:
                raise ApiError("toobig", "apierror-geodata-boxtoobig")
            return _Search(area, area.centre, None, 0)
        if self.p["page"] is not None:
            page_id, centre = origin_of_page(self.site, self.p["page"])
        else:
            point = read_pair(self.p["coord"])
            if point is None:
                raise ApiError("invalid-coord", "apierror-geodata-badcoord")
            page_id, centre = 0, point
        return _Search(around(centre, self.p["radius"]), centre, self.p["radius"], page_id)


_NORTH = 90.0
_DATE_LINE = 180.0
_CIRCLE = 360.0
_MAX_TILES = 2000


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
        """Whether the box covers more tiles than one query may search."""
        rows = (self.north - self.south) * GRANULARITY + 1
        return rows * (self._width * GRANULARITY + 1) > _MAX_TILES

    def conditions(self) -> list[Any]:
        """Return the conditions for rows within the box; an index finds them by tile."""
        rows = range(tile(self.south), tile(self.north) + 1)
        if self.west <= self.east:
            strips = [(self.west, self.east)]
        else:
            strips = [(self.west, _DATE_LINE), (-_DATE_LINE, self.east)]
        columns = [
            (GeoTags.gt_lon_int >= tile(west))
            & (GeoTags.gt_lon_int <= tile(east))
            & (GeoTags.gt_lon >= west)
            & (GeoTags.gt_lon <= east)
            for west, east in strips
        ]
        in_column = columns[0]
        for other in columns[1:]:
            in_column |= other
        return [GeoTags.gt_lat_int.in_(list(rows)), in_column, GeoTags.gt_lat >= self.south,
                GeoTags.gt_lat <= self.north]  # fmt: skip


def around(centre: tuple[float, float], radius: float) -> Area:
    """Return the box around a circle; near a pole it spans all longitudes."""
    lat, lon = centre
    reach = math.degrees(radius / EARTH_RADIUS)
    north, south = min(lat + reach, _NORTH), max(lat - reach, -_NORTH)
    shrunk = math.cos(math.radians(max(abs(north), abs(south))))
    side = reach / shrunk if shrunk > 0 else _CIRCLE
    if side >= _DATE_LINE:
        return Area(north, -_DATE_LINE, south, _DATE_LINE)
    return Area(north, _wrapped(lon - side), south, _wrapped(lon + side))


def read_area(text: str) -> Area | None:
    """Return the box ``top|left|bottom|right``, in degrees, or ``None`` if it is invalid."""
    parts = text.split("|")
    if len(parts) != 4:
        return None
    corners = [read_pair("|".join(parts[:2])), read_pair("|".join(parts[2:]))]
    if corners[0] is None or corners[1] is None or corners[0][0] <= corners[1][0]:
        return None
    return Area(*corners[0], *corners[1])


def _wrapped(lon: float) -> float:
    return (lon + _DATE_LINE) % _CIRCLE - _DATE_LINE
