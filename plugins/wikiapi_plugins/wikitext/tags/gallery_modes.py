"""The modes of galleries: the sizes of their boxes. All lengths are pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

STYLES = "mediawiki.page.gallery.styles"
"""The module with the style sheets of all modes."""
_MIN_WIDTH = 60
_OVERLAY_MARGIN = 20


@dataclass(frozen=True, slots=True)
class GalleryMode:
    """A mode of galleries.

    Attributes:
        name: the value of ``mode``, which is also used in the class of the list.
        padding: the padding around a picture.
        box_padding: the padding around a picture and its text.
        borders: the borders of a box, for limiting the width of rows.
        has_rows: whether ``perrow`` limits the width of rows.
        has_usual_rows: whether the wiki's setting does, if there is no ``perrow``.
        has_height: whether a box has the largest height of pictures.
        scale: the factor by which thumbnails are larger than they are shown: 1, or 1.5 if scripts
            may enlarge them.
        is_overlay: whether texts are shown over the pictures.
        module: the JavaScript module that the mode needs.
    """

    name: str
    padding: int = 30
    box_padding: int = 5
    borders: int = 8
    has_rows: bool = True
    has_usual_rows: bool = True
    has_height: bool = False
    scale: float = 1.0
    is_overlay: bool = False
    module: str = ""

    @property
    def is_packed(self) -> bool:
        """Whether pictures have equal heights and varying widths."""
        return self.scale > 1

    def all_padding(self) -> int:
        """Return the width that a box adds to that of its picture in a row."""
        return self.padding + self.box_padding + self.borders

    def bounds(self, width: int, height: int) -> tuple[int, int]:
        """Return the largest width and height of pictures."""
        if not self.is_packed:
            return width, height
        return math.floor((height * 10 + 100) * self.scale), math.floor(height * self.scale)

    def picture_width(self, width: int, thumb_width: int) -> float:
        """Return the width of the element around a picture."""
        if not self.is_packed:
            return width + self.padding
        return max(thumb_width, _MIN_WIDTH * self.scale) / self.scale + self.padding

    def box_width(self, width: int, thumb_width: int | None) -> float:
        """Return the width of a box; ``thumb_width`` is ``None`` if there is no picture."""
        thumb = math.floor(width * self.scale) if thumb_width is None else thumb_width
        return self.picture_width(width, thumb) + self.box_padding

    def text_width(self, box_width: float) -> int:
        """Return the width of a text over a picture."""
        return math.ceil(box_width - self.padding - self.box_padding - _OVERLAY_MARGIN)

    def margin(self, height: int, thumb_height: int) -> float:
        """Return the margin above and below a picture that centres it, if the mode does that."""
        if self.name == "nolines":
            return 0
        margin = (height + self.padding - thumb_height / self.scale) / 2
        return int(margin) if margin == int(margin) else margin

    def display_size(self, pixels: int) -> int:
        """Return the size at which a thumbnail of a size is shown."""
        return math.ceil(pixels / self.scale)


def _packed(name: str, *, is_overlay: bool) -> GalleryMode:
    return GalleryMode(
        name,
        padding=0,
        box_padding=2,
        has_rows=False,
        scale=1.5,
        is_overlay=is_overlay,
        module="mediawiki.page.gallery",
    )


TRADITIONAL = GalleryMode("traditional", has_height=True)
_SLIDESHOW = GalleryMode(
    "slideshow", has_usual_rows=False, module="mediawiki.page.gallery.slideshow"
)
MODES: Mapping[str, GalleryMode] = MappingProxyType(
    {
        mode.name: mode
        for mode in (
            TRADITIONAL,
            GalleryMode("nolines", padding=0, borders=4),
            _packed("packed", is_overlay=False),
            _packed("packed-hover", is_overlay=True),
            _packed("packed-overlay", is_overlay=True),
            _SLIDESHOW,
        )
    }
)


def pixels(length: float) -> str:
    """Return a length for CSS, with at most 14 digits as in PHP."""
    return f"{length:.14g}px" if isinstance(length, float) else f"{length}px"


@dataclass(frozen=True, slots=True)
class GalleryLayout:
    """The properties shared by the boxes of a gallery; the size is the largest for a picture."""

    mode: GalleryMode
    width: int
    height: int
    shows_names: bool
