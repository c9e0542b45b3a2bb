"""``prop=coordinates``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from wikiapi.api import Obj, Param, PropModule, continuation, enum, limit, string, valid_title
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.site import Site
from wikiapi.store import bounds
from wikiapi.store.queries import pages
from wikiapi_plugins.extensions.geodata import tags
from wikiapi_plugins.extensions.geodata.places import EARTH, Place, distance, number, read_pair
from wikiapi_plugins.extensions.geodata.tags import GeoTags, Tag

_PROPS = (
    ("type", "The type of the place."),
    ("name", "The name of the place."),
    ("dim", "The size of the place in metres."),
    ("country", "The country, as a two-letter code."),
    ("region", "The region, as the part of its code after the country."),
    ("globe", "The planet or moon."),
)
PRIMARY = "primary"


def prop_param(default: str) -> Param:
    """Return the parameter ``prop``: the properties to return besides the angles."""
    names = [name for name, _ in _PROPS]
    return enum("prop", *names, multi=True, default=default, value_help=_PROPS,
                help="Properties of the coordinates to include.")  # fmt: skip


def primary_param() -> Param:
    """Return the parameter ``primary``: whether to return the subject of a page, or the rest."""
    return enum(PRIMARY, PRIMARY, "secondary", "all", default=PRIMARY,
                help="Whether the place is the subject of the page, or mentioned.")  # fmt: skip


def angles(place: Place) -> dict[str, Any]:
    """Return latitude and longitude in degrees."""
    return {"lat": number(place.lat), "lon": number(place.lon)}


def facts(place: Place, props: Collection[str]) -> dict[str, Any]:
    """Return those of the requested properties that are known."""
    values = place._asdict()
    requested = {name: values[name] for name, _ in _PROPS if name in props}
    return {name: value for name, value in requested.items() if value is not None}


class Coordinates(PropModule):
    """Returns coordinates of the given pages."""

    name = "coordinates"
    prefix = "co"
    element = "co"
    params = (
        limit("How many coordinates to return."),
        continuation(),
        prop_param("globe"),
        primary_param(),
        string("distancefrompoint", "Return the distance from this point: latitude|longitude."),
        string("distancefrompage", "Return the distance from the subject of this page."),
    )
    examples = (("action=query&prop=coordinates&titles=Main%20Page", "Where a page's subject is"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:GeoData#API",)

    def execute(self) -> None:
        """List the coordinates of each page."""
        origin = self._origin()
        conditions = [GeoTags.gt_page_id.in_(list(self.page_set.good))]
        if self.p[PRIMARY] != "all":
            conditions.append(GeoTags.gt_primary == int(self.p[PRIMARY] == PRIMARY))
        if parts := self.continue_parts(2):
            values = [*map(self.continue_int, parts)]
            conditions.append(bounds.starting_at([GeoTags.gt_page_id, GeoTags.gt_id], values))
        if not self.page_set.good or not tags.is_stored(self.site):
            return
        query = GeoTags.select(*tags.COLUMNS).where(*conditions)
        query = query.order_by(GeoTags.gt_page_id, GeoTags.gt_id).limit(self.p["limit"] + 1)
        places = [Tag(*row) for row in self.rows(query)]
        items = ((tag.page_id, self._item(tag.place, origin)) for tag in places)
        self.emit(items, places, lambda tag: f"{tag.page_id}|{tag.tag_id}")

    def _origin(self) -> tuple[float, float] | None:
        point, page = self.p["distancefrompoint"], self.p["distancefrompage"]
        if point is not None and page is not None:
            names = " and ".join(
                f'"{self.full(n)}"' for n in ("distancefrompoint", "distancefrompage")
            )
            raise ApiError("invalidparammix", "apierror-invalidparammix", Plain(names))
        if page is not None:
            return origin_of_page(self.site, page)[1]
        if point is None:
            return None
        origin = read_pair(point)
        if origin is None:
            raise ApiError("invalid-coord", "apierror-geodata-badcoord")
        return origin

    def _item(self, place: Place, origin: tuple[float, float] | None) -> Obj:
        item = Obj({**angles(place), PRIMARY: place.primary, **facts(place, self.p["prop"] or ())})
        if origin is not None and place.globe == EARTH:
            item["dist"] = number(round(distance(origin, (place.lat, place.lon)), 1))
        return item


def origin_of_page(site: Site, text: str) -> tuple[int, tuple[float, float]]:
    """Return the id of a page and the coordinates of its subject.

    Raises:
        ApiError: ``invalidtitle``, ``missingtitle`` or ``no-coordinates``.
    """
    title = valid_title(site, text, interwiki=True)
    row = pages.by_titles(site.db, [title.key]).get(title.key)
    if row is None:
        raise ApiError("missingtitle", "apierror-missingtitle-byname", Plain(title.prefixed_text))
    place = tags.primary_of(site.db, row.page_id) if tags.is_stored(site) else None
    if place is None:
        raise ApiError("no-coordinates", "apierror-geodata-nocoord")
    return row.page_id, (place.lat, place.lon)
