"""Media handlers: thumbnails and metadata of files, with one class for each kind of file."""

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
    """Return the handler of a MIME type, or ``None`` for files that are not shown as pictures."""
    return HANDLERS.get(mime)
