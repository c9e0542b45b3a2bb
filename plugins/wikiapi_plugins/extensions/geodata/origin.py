"""The place that distances are measured from, where a request names a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.errors import ApiError
from wikiapi.i18n.message import Plain
from wikiapi.store import pages
from wikiapi_plugins.extensions.geodata import tags

if TYPE_CHECKING:
    from wikiapi.site import Site


def origin_of_page(site: Site, text: str) -> tuple[int, tuple[float, float]]:
    """The id of a page and where its subject is.

    Raises:
        ApiError: ``invalidtitle``, ``missingtitle`` or ``no-coordinates``.
    """
    title = site.titles.try_parse(text)
    if title is None:
        raise ApiError.of("invalidtitle", "apierror-invalidtitle", Plain(text))
    row = pages.by_titles(site.db, [title.key]).get(title.key)
    if row is None:
        raise ApiError.of(
            "missingtitle", "apierror-missingtitle-byname", Plain(title.prefixed_text)
        )
    place = tags.primary_of(site.db, row.page_id) if tags.are_kept(site) else None
    if place is None:
        raise ApiError.of("no-coordinates", "apierror-geodata-nocoord")
    return row.page_id, (place.lat, place.lon)
