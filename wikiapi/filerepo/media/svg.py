"""The handler of SVG drawings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wikiapi.filerepo.media.image import ImageHandler, ThumbType
from wikiapi.filerepo.metadata import ERROR
from wikiapi.filerepo.scaling import Scaled, Size, ThumbParams, rounded, scale_height

LARGEST = 5120
"""The largest length in pixels of the shorter side of a picture rendered from a drawing."""

_LANGUAGE = re.compile(r"lang([a-z]{1,20}(?:-[a-z0-9]{1,20}){0,5})-(.*)\Z", re.ASCII | re.I)
_DEFAULT_LANGUAGE = "en"
_COMMON_NAMES = {"title": "ObjectName", "description": "ImageDescription"}


class SvgHandler(ImageHandler):
    """SVG, shown as it is or rendered as PNG, in one of the languages that the file contains."""

    is_vector = True
    thumb_type = ThumbType("png", "image/png")

    def parse_params(self, text: str) -> ThumbParams | None:
        match = _LANGUAGE.match(text)
        if not match:
            return super().parse_params(text)
        params = super().parse_params(match[2])
        return replace(params, language=match[1].lower()) if params else None

    def write_params(self, params: ThumbParams, scaled: Scaled) -> str:
        written = super().write_params(params, scaled)
        if params.language and params.language != _DEFAULT_LANGUAGE:
            return f"lang{params.language}-{written}"
        return written

    def normalise(self, params: ThumbParams, source: Size) -> Scaled | None:
        """Return the sizes of a picture, with the shorter side limited to ``LARGEST``."""
        scaled = super().normalise(params, source)
        if scaled is None:
            return None
        width, height = scaled.physical
        if width <= height and width > LARGEST:
            return scaled._replace(physical=Size(LARGEST, scale_height(source, LARGEST)))
        if height < width and height > LARGEST:
            limited = rounded(source.width * LARGEST, source.height)
            return scaled._replace(physical=Size(limited, LARGEST))
        return scaled

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the title and description."""
        if ERROR in metadata or "error" in metadata:
            return {}
        named = ((_COMMON_NAMES.get(str(key).lower()), value) for key, value in metadata.items())
        return {name: value for name, value in named if name}
