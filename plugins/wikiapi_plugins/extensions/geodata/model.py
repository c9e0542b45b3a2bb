# ruff: noqa: D106
"""The table of coordinates, as MediaWiki's GeoData has it."""

from __future__ import annotations

from wikiapi.store.fields import Binary, Chars, Column, Int, Serial, Small, UInt
from wikiapi.store.models.base import MediaWikiModel, index

GRANULARITY = 10
"""Parts of a degree that ``gt_lat_int`` and ``gt_lon_int`` count."""


class Degrees(Column):
    """An angle, with eight decimal places."""

    sqlite = postgres = "NUMERIC(11, 8)"
    mysql = "DECIMAL(11, 8)"
    needs_repair = True

    @staticmethod
    def repair(value: object) -> float | None:
        """Databases give whole numbers and decimals."""
        return None if value is None else float(str(value))


class GeoTags(MediaWikiModel):
    """A coordinate on a page. ``gt_dim`` is the size of what is there, in metres."""

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
