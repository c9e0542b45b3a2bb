"""Images: the base of all handlers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wikiapi.filerepo import paths
from wikiapi.filerepo.scaling import Scaled, Size, ThumbParams, fit

if TYPE_CHECKING:
    from collections.abc import Mapping

_WIDTH = re.compile(r"([0-9]{1,18})px\Z", re.ASCII)

# Which extensions belong to a type; a file with another gets its thumbnails under the first.
_EXTENSIONS: Mapping[str, tuple[str, ...]] = {
    "image/jpeg": ("jpeg", "jpg", "jpe"),
    "image/png": ("png", "apng"),
    "image/gif": ("gif",),
    "image/tiff": ("tiff", "tif"),
    "image/svg+xml": ("svg",),
}


class ThumbType(NamedTuple):
    """The format of a thumbnail."""

    extension: str
    mime: str


class ImageHandler:
    """What can be done with one kind of image.

    Attributes:
        must_render: whether browsers cannot show the file itself.
        is_vector: whether it can be enlarged without loss.
        thumb_type: the format of its thumbnails, where it is not its own.
    """

    must_render: ClassVar[bool] = False
    is_vector: ClassVar[bool] = False
    thumb_type: ClassVar[ThumbType | None] = None

    def __init__(self, *, renders: bool = True) -> None:
        """``renders`` says whether MediaWiki makes thumbnails of it as it comes."""
        self.renders = renders

    def parse_params(self, text: str) -> ThumbParams | None:
        """The parameters in front of a thumbnail's name (``120px``), ``None`` if malformed."""
        match = _WIDTH.match(text)
        return ThumbParams(width=int(match[1])) if match else None

    def write_params(self, params: ThumbParams, scaled: Scaled) -> str:
        """The reverse: what stands in front of a thumbnail's name."""
        return f"{scaled.physical.width}px"

    def normalise(self, params: ThumbParams, source: Size) -> Scaled | None:
        """The sizes of a thumbnail, ``None`` when it cannot be made; never larger than the file."""
        scaled = fit(params, source)
        if scaled is not None and not self.is_vector and scaled.physical.width >= source.width:
            return Scaled(scaled.shown, source)
        return scaled

    def type_of_thumb(self, name: str, mime: str) -> ThumbType:
        """The format of the thumbnails of a file."""
        if self.thumb_type:
            return self.thumb_type
        own = paths.extension(name)
        known = _EXTENSIONS.get(mime, (own,))
        return ThumbType(own if own in known else known[0], mime)

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """The metadata under names that are the same for all formats."""
        return {}

    def convert_metadata(self, metadata: Mapping[str, Any], version: str) -> Mapping[str, Any]:
        """The metadata as an older version of MediaWiki gave it."""
        return metadata
