"""Handlers of bitmap images, and the base class of all handlers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from wikiapi.filerepo import paths
from wikiapi.filerepo.metadata import ERROR, pairs
from wikiapi.filerepo.scaling import Scaled, Size, ThumbParams, fit

_WIDTH = re.compile(r"([0-9]{1,18})px\Z", re.ASCII)

# The usual extensions of a type; thumbnails of a file with any other have the first one.
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
    """The rules for thumbnails and metadata of one kind of image.

    Attributes:
        must_render: whether browsers cannot show the file itself.
        is_vector: whether it can be enlarged without loss.
        thumb_type: the format of its thumbnails, if it is not that of the file.
    """

    must_render: ClassVar[bool] = False
    is_vector: ClassVar[bool] = False
    thumb_type: ClassVar[ThumbType | None] = None

    def __init__(self, *, renders: bool = True) -> None:
        """Set ``renders``: whether MediaWiki creates thumbnails of these images by default."""
        self.renders = renders

    def parse_params(self, text: str) -> ThumbParams | None:
        """Return the parameters in a thumbnail's name (``120px``), or ``None`` if malformed."""
        match = _WIDTH.match(text)
        return ThumbParams(width=int(match[1])) if match else None

    def write_params(self, params: ThumbParams, scaled: Scaled) -> str:
        """Return parameters in the form in which a thumbnail's name begins with them."""
        return f"{scaled.physical.width}px"

    def normalise(self, params: ThumbParams, source: Size) -> Scaled | None:
        """Return the sizes of a thumbnail; ``None`` if the parameters are not valid.

        The picture that is sent is not larger than the file, unless that is a vector image.
        """
        scaled = fit(params, source)
        if scaled is not None and not self.is_vector and scaled.physical.width >= source.width:
            return Scaled(scaled.display, source)
        return scaled

    def type_of_thumb(self, name: str, mime: str) -> ThumbType:
        """Return the format of the thumbnails of a file."""
        if self.thumb_type:
            return self.thumb_type
        own = paths.extension(name)
        types = _EXTENSIONS.get(mime, (own,))
        return ThumbType(own if own in types else types[0], mime)

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the metadata under the names that all formats have in common."""
        return {}

    def convert_metadata(self, metadata: Mapping[str, Any], version: str) -> Mapping[str, Any]:
        """Return the metadata in the form of an older version of MediaWiki's format."""
        return metadata


_VERSION_KEY = "MEDIAWIKI_EXIF_VERSION"
_LEADING_NUMBER = re.compile(r"\s*([0-9]{1,9})", re.ASCII)


class ExifHandler(ImageHandler):
    """A format whose metadata is a mapping of EXIF names."""

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the mapping without its version, or nothing if the file could not be read."""
        if ERROR in metadata:
            return {}
        return {key: value for key, value in metadata.items() if key != _VERSION_KEY}

    def convert_metadata(self, metadata: Mapping[str, Any], version: str) -> Mapping[str, Any]:
        """Return the metadata with texts in place of lists, if version 1 is requested."""
        match = _LEADING_NUMBER.match(version)
        if not match or int(match[1]) != 1 or metadata.get(_VERSION_KEY) != 2:
            return metadata
        converted = {key: _flat(key, value) for key, value in metadata.items()}
        return converted | {_VERSION_KEY: 1}


def _flat(key: str, value: Any) -> Any:
    if key == "Software" and isinstance(value, list) and value and isinstance(value[0], list):
        name, *rest = (*value[0], "", "")
        return f"{name} (Version {rest[0]})" if rest[0] else str(name)
    return flatten(value) if isinstance(value, dict | list) else value


_TYPE = "_type"
_FORMATTED_TYPE = "_formatted"
_DEFAULT_LANGUAGE = "x-default"


def flatten(value: dict[Any, Any] | list[Any]) -> Any:
    """Return several values as one: a bulleted or numbered list, or the one in the best language.

    The value of ``_type`` chooses between them: ``ul`` (the default), ``ol`` or ``lang``.
    """
    entries = dict(enumerate(value)) if isinstance(value, list) else dict(value)
    kind = entries.pop(_TYPE, "ul")
    entries.pop(_FORMATTED_TYPE, None)
    if not entries:
        return ""
    if kind == "lang":
        return entries.get(_DEFAULT_LANGUAGE, next(iter(entries.values())))
    items = list(entries.values())
    if len(items) == 1:
        return items[0]
    bullet = "#" if kind == "ol" else "*"
    return "".join(f"\n{bullet}{item}" for item in items)


_LOW = "qlow-"


class JpegHandler(ExifHandler):
    """JPEG, which also has low-quality thumbnails for slow connections: ``qlow-120px``."""

    def parse_params(self, text: str) -> ThumbParams | None:
        params = super().parse_params(text.removeprefix(_LOW))
        return replace(params, quality="low") if params and text.startswith(_LOW) else params

    def write_params(self, params: ThumbParams, scaled: Scaled) -> str:
        prefix = _LOW if params.quality == "low" else ""
        return prefix + super().write_params(params, scaled)


class FramesHandler(ImageHandler):
    """A format whose common metadata is under ``metadata``, together with a version."""

    version_key: ClassVar[str]

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        inner = pairs(metadata.get("metadata"))
        return {str(key): value for key, value in inner if key != self.version_key}


class PngHandler(FramesHandler):
    """PNG."""

    version_key = "_MW_PNG_VERSION"


class GifHandler(FramesHandler):
    """GIF."""

    version_key = "_MW_GIF_VERSION"


class BmpHandler(ImageHandler):
    """BMP, which is always converted to PNG."""

    must_render = True
    thumb_type = ThumbType("png", "image/png")


class WebpHandler(ImageHandler):
    """WebP, whose thumbnails are PNG pictures."""

    thumb_type = ThumbType("png", "image/png")

    def common_metadata(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values under ``media-metadata``."""
        return {str(key): value for key, value in pairs(metadata.get("media-metadata"))}
