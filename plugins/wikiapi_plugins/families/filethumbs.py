"""Thumbnails of many versions at once, for usual screens and for denser ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.filerepo.thumbnail import ThumbRequest, enlarged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.filerepo.scaling import ThumbParams
    from wikiapi.site import Site
    from wikiapi_plugins.families.fileprops import Telling

_DENSER = {"1.5": 150, "2": 200}
"""Percentages by the factor that answers name."""


def add_thumbnails(site: Site, wanted: Sequence[tuple[Telling, ThumbParams]], error: str) -> None:
    """Find the thumbnails; ``error`` is told where one cannot be made."""
    requests: list[ThumbRequest] = []
    for telling, params in wanted:
        sizes = (params, *(enlarged(params, percent) for percent in _DENSER.values()))
        requests += (ThumbRequest(telling.file, telling.version, size) for size in sizes)
    found = iter(site.files.thumbnails(requests))
    for telling, _ in wanted:
        telling.thumbnail = usual = next(found)
        denser = {factor: next(found) for factor in _DENSER}
        if usual is None:
            telling.thumb_error = error
            continue
        telling.responsive = {
            factor: thumbnail
            for factor, thumbnail in denser.items()
            if thumbnail and thumbnail.url != usual.url
        }
