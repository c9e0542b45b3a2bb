"""The size of an image, computed from its options, its format and the file."""

from __future__ import annotations

import math
from typing import NamedTuple

from wikiapi.filerepo.file import File, ThumbRequest, enlarged
from wikiapi.filerepo.media.svg import LARGEST
from wikiapi.filerepo.scaling import ThumbParams
from wikiapi.wikitext.media.options import ImageOptions

UPRIGHT = 0.75
"""Default factor of ``upright``."""
MISSING_WIDTH = 180
"""Width in pixels of the placeholder for a missing file in a frame."""
MISSING_UPRIGHT_WIDTH = 130
"""Width in pixels of that placeholder with ``upright``."""
DENSITIES = ((150, "1.5x"), (200, "2x"))
"""Percentages of the size for high-density screens, and their descriptors in ``srcset``."""


class RequestedSize(NamedTuple):
    """The picture that an image needs.

    ``file`` is ``None`` if it is missing; ``width`` and ``height`` are then those of a placeholder.
    Without ``densities``, the file is shown in its original size.
    """

    file: File | None
    width: int | None
    height: int | None
    language: str = ""
    densities: bool = True

    def requests(self) -> list[ThumbRequest]:
        """Return requests for the thumbnail and for those of high-density screens."""
        if self.file is None:
            return []
        if self.densities:
            params = ThumbParams(self.width, self.height, language=self.language)
        else:
            params = ThumbParams(self.file.current.dimensions.width, language=self.language)
        sizes = [params]
        if self.densities and not _is_whole_size(self.file, params):
            sizes += [enlarged(params, percent) for percent, _ in DENSITIES]
        return [ThumbRequest(self.file, self.file.current, params) for params in sizes]


def size_of_missing(options: ImageOptions) -> RequestedSize:
    """Return the size of the placeholder of a missing file."""
    width = options.width
    if options.has_frame and not width:
        width = MISSING_WIDTH if options.upright is None else MISSING_UPRIGHT_WIDTH
    return RequestedSize(None, width, options.height)


def size_of_file(
    options: ImageOptions, file: File, language: str, thumb_width: int, *, draws_vectors: bool
) -> RequestedSize:
    """Return the picture that an image with an existing file needs.

    ``thumb_width`` is the default width of thumbnails. With ``draws_vectors``, vector images are
    converted to bitmaps, which may have any size.
    """
    width = _width(options, file, thumb_width)
    height, original = options.height, file.current.dimensions.width
    if options.has_frame and not width:
        width = MISSING_WIDTH if options.upright is None else MISSING_UPRIGHT_WIDTH
    if options.format == "framed":
        width = original if is_vector(file) else width
        return RequestedSize(file, width, height, language, densities=is_vector(file))
    handler = file.current.handler
    must_draw = handler and (handler.must_render or (handler.is_vector and draws_vectors))
    if options.format and original and not must_draw:
        width = min(width, original)
    return RequestedSize(file, width, height, language)


def size_of_manual_thumbnail(
    options: ImageOptions, file: File, other: File | None, language: str, thumb_width: int
) -> RequestedSize:
    """Return the picture of another file that the option ``thumb=`` names, in its original size."""
    width = _width(options, file, thumb_width)
    return RequestedSize(other, width, options.height, language, densities=False)


def is_vector(file: File) -> bool:
    """Return whether a file can be enlarged without loss."""
    return bool(file.current.handler and file.current.handler.is_vector)


def can_be_shown(file: File) -> bool:
    """Return whether the file can be shown as a picture."""
    version = file.current
    return bool(version.handler and version.handler.renders and all(version.dimensions))


def _width(options: ImageOptions, file: File, thumb_width: int) -> int:
    if options.width:
        return options.width
    vector = is_vector(file)
    original = file.current.dimensions.width
    width = LARGEST if options.height and vector else original
    if (options.format or not width) and not options.height:
        usual = thumb_width
        if options.upright is not None:
            # In steps of ten pixels, which keeps the number of thumbnails small.
            tens = round(thumb_width * (options.upright or UPRIGHT) / 10, 9)
            usual = int(math.copysign(math.floor(abs(tens) + 0.5) * 10, tens))
        if width <= 0 or usual < width or vector:
            return usual
    return width


def _is_whole_size(file: File, params: ThumbParams) -> bool:
    """Return whether a size is not smaller than the file's own."""
    if is_vector(file) or params.height is not None:
        return False
    return (params.width or 0) >= file.current.dimensions.width
