"""``prop=coordinates``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import continuation, limit, string
from wikiapi.api.query.module import PropModule
from wikiapi.api.result import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Plain
from wikiapi.store import bounds
from wikiapi_plugins.extensions.geodata import tags
from wikiapi_plugins.extensions.geodata.coordinates import EARTH, distance, number, read_pair
from wikiapi_plugins.extensions.geodata.items import (
    PRIMARY,
    angles,
    facts,
    primary_param,
    prop_param,
)
from wikiapi_plugins.extensions.geodata.model import GeoTags
from wikiapi_plugins.extensions.geodata.origin import origin_of_page

if TYPE_CHECKING:
    from wikiapi.store.statements import Row


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
        string("distancefrompoint", "Tell the distance from here: latitude|longitude."),
        string("distancefrompage", "Tell the distance from where this page's subject is."),
    )
    examples = (("action=query&prop=coordinates&titles=Main%20Page", "Where a page's subject is"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:GeoData#API",)

    def execute(self) -> None:
        """Tell the coordinates of each page."""
        origin = self._origin()
        conditions = self._conditions()
        if not self.page_set.good or not tags.are_kept(self.site):
            return
        query = GeoTags.select(*tags.COLUMNS).where(*conditions)
        query = query.order_by(GeoTags.gt_page_id, GeoTags.gt_id).limit(self.p["limit"] + 1)
        self.page_through(
            self.rows(query),
            self.p["limit"],
            lambda row: f"{row[1]}|{row[0]}",
            lambda row: self.add_page_item(row[1], self._item(row, origin)),
        )

    def _origin(self) -> tuple[float, float] | None:
        point, page = self.p["distancefrompoint"], self.p["distancefrompage"]
        if point is not None and page is not None:
            names = " and ".join(
                f'"{self.full(n)}"' for n in ("distancefrompoint", "distancefrompage")
            )
            raise ApiError.of("invalidparammix", "apierror-invalidparammix", Plain(names))
        if page is not None:
            return origin_of_page(self.site, page)[1]
        if point is None:
            return None
        origin = read_pair(point)
        if origin is None:
            raise ApiError.of("invalid-coord", "apierror-geodata-badcoord")
        return origin

    def _conditions(self) -> list[Any]:
        conditions = [GeoTags.gt_page_id.in_(list(self.page_set.good))]
        if self.p[PRIMARY] != "all":
            conditions.append(GeoTags.gt_primary == int(self.p[PRIMARY] == PRIMARY))
        if parts := self.continue_parts(2):
            values = [*map(self.continue_int, parts)]
            conditions.append(bounds.starting_at([GeoTags.gt_page_id, GeoTags.gt_id], values))
        return conditions

    def _item(self, row: Row, origin: tuple[float, float] | None) -> Obj:
        place = tags.place_of(row)
        item = Obj({**angles(place), PRIMARY: place.primary, **facts(place, self.p["prop"] or ())})
        if origin is not None and place.globe == EARTH:
            item["dist"] = number(round(distance(origin, (place.lat, place.lon)), 1))
        return item
