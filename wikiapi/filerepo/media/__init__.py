"""Media handlers: what can be done with the files of a MIME type, one class per kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wikiapi.filerepo.media.image import (
    BmpHandler,
    ExifHandler,
    GifHandler,
    JpegHandler,
    PngHandler,
    WebpHandler,
)
from wikiapi.filerepo.media.svg import SvgHandler

if TYPE_CHECKING:
    from wikiapi.filerepo.media.image import ImageHandler

HANDLERS: Mapping[str, ImageHandler] = {
    "image/jpeg": JpegHandler(),
    "image/png": PngHandler(),
    "image/gif": GifHandler(),
    "image/tiff": ExifHandler(renders=False),
    "image/webp": WebpHandler(),
    "image/bmp": BmpHandler(),
    "image/x-bmp": BmpHandler(),
    "image/x-ms-bmp": BmpHandler(),
    "image/svg+xml": SvgHandler(),
}


def handler_of(mime: str) -> ImageHandler | None:
    """Return the handler of a MIME type, ``None`` for files that are only downloaded."""
    return HANDLERS.get(mime)
