"""Bitmaps that are shown as PNG pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.filerepo.media.image import ImageHandler, ThumbType
from wikiapi.filerepo.metadata import pairs

if TYPE_CHECKING:
    from collections.abc import Mapping


class BmpHandler(ImageHandler):
    """BMP, which is never sent as it is."""

    must_render = True
    thumb_type = ThumbType("png", "image/png")


class WebpHandler(ImageHandler):
    """WebP: thumbnails are PNG pictures."""

    thumb_type = ThumbType("png", "image/png")

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """What stands under ``media-metadata``."""
        return {str(key): value for key, value in pairs(metadata.get("media-metadata"))}
