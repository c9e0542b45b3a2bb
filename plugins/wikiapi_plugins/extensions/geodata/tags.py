"""Rows of ``geo_tags``: written when links are derived, read by page and by place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from wikiapi.site import Site
from wikiapi.store import (
    Binary,
    Chars,
    Column,
    CompiledQuery,
    Database,
    Int,
    MediaWikiModel,
    PageLinkSet,
    Serial,
    Small,
    UInt,
    index,
    is_there,
)
from wikiapi_plugins.extensions.geodata.parserfunction import DATA
from wikiapi_plugins.extensions.geodata.places import Place

GRANULARITY = 10
"""Tiles per degree, which ``gt_lat_int`` and ``gt_lon_int`` number."""


class Degrees(Column):
    """An angle, with eight decimal places."""

    sql_type = "NUMERIC(11, 8)"
    needs_repair = True

    @staticmethod
    def repair(value: object) -> float | None:
        """Return a float, where databases may return integers or decimals."""
        return None if value is None else float(str(value))


class GeoTags(MediaWikiModel):
    """The coordinates of a place on a page. ``gt_dim`` is the size of the place in metres."""

    gt_id = Serial()
    gt_page_id = UInt()
    gt_globe = Chars(32)
    gt_primary = Small()
    gt_lat_int = Small(null=True)
    gt_lon_int = Small(null=True)
    gt_lat = Degrees()
    gt_lon = Degrees()
    gt_dim = Int(null=True)
    gt_type = Chars(32, null=True)
    gt_name = Binary(null=True)
    gt_country = Chars(2, null=True)
    gt_region = Chars(3, null=True)

    class Meta:
        table_name = "geo_tags"
        named_indexes = (
            index("gt_page_primary", "gt_page_id", "gt_primary"),
            index("gt_page_id_id", "gt_page_id"),
            index("gt_spatial", "gt_lat_int", "gt_lon_int", "gt_lon", "gt_primary"),
        )


class Tag(NamedTuple):
    """A row of the table, with the columns in ``COLUMNS``: a place on a page."""

    tag_id: int
    page_id: int
    lat: float
    lon: float
    globe: str
    primary: int
    dim: int | None
    type: str | None
    name: str | None
    country: str | None
    region: str | None

    @property
    def place(self) -> Place:
        """The place, without the ids of row and page."""
        return Place(
            self.lat,
            self.lon,
            self.globe,
            bool(self.primary),
            self.dim,
            self.type,
            self.name,
            self.country,
            self.region,
        )


COLUMNS = (
    GeoTags.gt_id,
    GeoTags.gt_page_id,
    GeoTags.gt_lat,
    GeoTags.gt_lon,
    GeoTags.gt_globe,
    GeoTags.gt_primary,
    GeoTags.gt_dim,
    GeoTags.gt_type,
    GeoTags.gt_name,
    GeoTags.gt_country,
    GeoTags.gt_region,
)
_WRITTEN = (
    "gt_page_id", "gt_globe", "gt_primary", "gt_lat_int", "gt_lon_int", "gt_lat", "gt_lon",
    "gt_dim", "gt_type", "gt_name", "gt_country", "gt_region",
)  # fmt: skip


def is_stored(site: Site) -> bool:
    """Return whether the database has the table; this is looked up once."""
    return site.derived(_look)


def _look(site: Site) -> bool:
    return is_there(site.db, GeoTags)


def primary_of(db: Database, page_id: int) -> Place | None:
    """Return the place that is the subject of a page, or ``None``."""
    query = GeoTags.select(*COLUMNS).where(GeoTags.gt_page_id == page_id, GeoTags.gt_primary == 1)
    rows = db.execute(query.limit(1))
    return Tag(*rows[0]).place if rows else None


_DELETE = CompiledQuery(lambda page_ids: GeoTags.delete().where(GeoTags.gt_page_id.in_(page_ids)))


def replace(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Replace the rows of the pages by the places found when their links were derived."""
    if not is_stored(site):
        return
    site.db.execute_write(_DELETE([page.page_id for page in pages]))
    rows = [row for page in pages for row in _rows(page)]
    if rows:
        site.db.insert_many(GeoTags, rows, _WRITTEN)


def _rows(page: PageLinkSet) -> Iterator[tuple[Any, ...]]:
    for place in cast("Iterable[Place]", page.plugin_data.get(DATA, ())):
        yield (
            page.page_id,
            place.globe,
            int(place.primary),
            tile(place.lat),
            tile(place.lon),
            place.lat,
            place.lon,
            place.dim,
            place.type,
            place.name,
            place.country,
            place.region,
        )


def tile(degrees: float) -> int:
    """Return the number of the tile of an angle, rounded half away from zero as in PHP."""
    scaled = degrees * GRANULARITY
    return int(math.copysign(math.floor(abs(scaled) + 0.5), scaled))
