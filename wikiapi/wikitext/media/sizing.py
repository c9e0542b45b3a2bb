"""How large an image is shown: what its options, its format and the file itself come to."""

from __future__ import annotations

import math
from typing import NamedTuple

from wikiapi.filerepo.file import File
from wikiapi.filerepo.media.svg import LARGEST
from wikiapi.filerepo.scaling import ThumbParams
from wikiapi.filerepo.thumbnail import ThumbRequest, enlarged
from wikiapi.wikitext.media.options import ImageOptions

THUMB_WIDTH = 300
"""Pixels of a thumbnail whose size is not given."""
UPRIGHT = 0.75
"""The usual factor of ``upright``."""
MISSING_WIDTH = 180
"""Pixels kept for a missing file in a frame, and with ``upright``:"""
MISSING_UPRIGHT_WIDTH = 130
DENSITIES = ((150, "1.5x"), (200, "2x"))
"""Per cent of the size for screens of higher density, and how they are named."""


class Asked(NamedTuple):
    """The picture that is asked for.

    ``file`` is the one to draw, ``None`` where there is none. ``width`` and ``height`` are what a
    stand-in is as large as. Without ``densities`` the file is drawn in its own size.
    """

    file: File | None
    width: int | None
    height: int | None
    language: str = ""
    densities: bool = True

    def requests(self) -> list[ThumbRequest]:
        """The thumbnail, and those for screens of higher density."""
        if self.file is None:
            return []
        params = self._params(self.file)
        wanted = [params]
        if self.densities and not _is_all(self.file, params):
            wanted += [enlarged(params, percent) for percent, _ in DENSITIES]
        return [ThumbRequest(self.file, self.file.current, params) for params in wanted]

    def _params(self, file: File) -> ThumbParams:
        if self.densities:
            return ThumbParams(self.width, self.height, language=self.language)
        return ThumbParams(file.current.dimensions.width, language=self.language)


def ask_missing(options: ImageOptions) -> Asked:
    """How large the stand-in of a missing file is."""
    width = options.width
    if options.has_frame and not width:
        width = MISSING_WIDTH if options.upright is None else MISSING_UPRIGHT_WIDTH
    return Asked(None, width, options.height)


def ask(options: ImageOptions, file: File, language: str, *, draws_vectors: bool) -> Asked:
    """The picture of a file that exists.

    ``draws_vectors``: whether drawings are sent as pictures, which may then be of any size.
    """
    width = _given_or_usual_width(options, file)
    height, original = options.height, file.current.dimensions.width
    if options.has_frame and not width:
        width = MISSING_WIDTH if options.upright is None else MISSING_UPRIGHT_WIDTH
    if options.format == "framed":
        width = original if is_vector(file) else width
        return Asked(file, width, height, language, densities=is_vector(file))
    if options.format and original and not _must_draw(file, draws_vectors):
        width = min(width, original)
    return Asked(file, width, height, language)


def ask_manual(options: ImageOptions, file: File, shown: File | None, language: str) -> Asked:
    """Another file in place of the one that is meant: always in its own size."""
    width = _given_or_usual_width(options, file)
    return Asked(shown, width, options.height, language, densities=False)


def is_vector(file: File) -> bool:
    """Whether a file can be enlarged without loss."""
    return bool(file.current.handler and file.current.handler.is_vector)


def can_be_shown(file: File) -> bool:
    """Whether there is a picture of the file at all."""
    version = file.current
    return bool(version.handler and version.handler.renders and all(version.dimensions))


def _must_draw(file: File, draws_vectors: bool) -> bool:
    handler = file.current.handler
    return bool(handler and (handler.must_render or (handler.is_vector and draws_vectors)))


def _given_or_usual_width(options: ImageOptions, file: File) -> int:
    if options.width:
        return options.width
    vector = is_vector(file)
    original = file.current.dimensions.width
    width = LARGEST if options.height and vector else original
    if (options.format or not width) and not options.height:
        usual = _usual_width(options.upright)
        if width <= 0 or usual < width or vector:
            return usual
    return width


def _usual_width(upright: float | None) -> int:
    """Factors give widths in steps of ten pixels, so that there are few different thumbnails."""
    if upright is None:
        return THUMB_WIDTH
    tens = round(THUMB_WIDTH * (upright or UPRIGHT) / 10, 9)
    return int(math.copysign(math.floor(abs(tens) + 0.5) * 10, tens))


def _is_all(file: File, params: ThumbParams) -> bool:
    """Whether a size is all that a file has to give, so that no larger picture differs."""
    if is_vector(file) or params.height is not None:
        return False
    return (params.width or 0) >= file.current.dimensions.width
