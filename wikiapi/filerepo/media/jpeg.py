"""JPEG."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wikiapi.filerepo.media.exif import ExifHandler

if TYPE_CHECKING:
    from wikiapi.filerepo.scaling import Scaled, ThumbParams

_LOW = "qlow-"


class JpegHandler(ExifHandler):
    """JPEG has a second quality for slow connections, ``qlow-120px``."""

    def parse_params(self, text: str) -> ThumbParams | None:
        params = super().parse_params(text.removeprefix(_LOW))
        return replace(params, quality="low") if params and text.startswith(_LOW) else params

    def write_params(self, params: ThumbParams, scaled: Scaled) -> str:
        prefix = _LOW if params.quality == "low" else ""
        return prefix + super().write_params(params, scaled)
