"""The modes of galleries: how boxes are measured, as MediaWiki's style sheets expect them.

All lengths are pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

STYLES = "mediawiki.page.gallery.styles"
"""The module with the style sheets of every mode."""
_SLIMMEST = 60
_OVERLAY_MARGIN = 20


@dataclass(frozen=True, slots=True)
class GalleryMode:
    """A mode. ``scale`` is how much larger pictures are fetched than they are shown.

    Attributes:
        name: as it is written, and in the class of the list.
        padding: around a picture.
        box_padding: around a picture and its text.
        borders: of a box, counted where rows are limited.
        has_rows: whether ``perrow`` is obeyed.
        has_height: whether a box is as high as the pictures may be.
        scale: 1, or 1.5 where scripts may enlarge the pictures.
        is_overlay: whether texts lie over the pictures.
        module: the module of scripts it needs.
    """

    name: str
    padding: int = 30
    box_padding: int = 5
    borders: int = 8
    has_rows: bool = True
    has_height: bool = False
    scale: float = 1.0
    is_overlay: bool = False
    module: str = ""

    @property
    def is_packed(self) -> bool:
        """Whether heights are equal and widths follow from them."""
        return self.scale > 1

    def all_padding(self) -> int:
        """What a box adds to the width of its picture in a row."""
        return self.padding + self.box_padding + self.borders

    def bounds(self, width: int, height: int) -> tuple[int, int]:
        """Width and height that pictures are fitted into."""
        if not self.is_packed:
            return width, height
        return math.floor((height * 10 + 100) * self.scale), math.floor(height * self.scale)

    def picture_width(self, width: int, thumb_width: int) -> float:
        """The width of the element around a picture."""
        if not self.is_packed:
            return width + self.padding
        return max(thumb_width, _SLIMMEST * self.scale) / self.scale + self.padding

    def box_width(self, width: int, thumb_width: int | None) -> float:
        """The width of a box; ``thumb_width`` is ``None`` where there is no picture."""
        thumb = math.floor(width * self.scale) if thumb_width is None else thumb_width
        return self.picture_width(width, thumb) + self.box_padding

    def text_width(self, box_width: float) -> int:
        """The width of a text that lies over a picture."""
        return math.ceil(box_width - self.padding - self.box_padding - _OVERLAY_MARGIN)

    def shown(self, pixels: int) -> int:
        """The size a picture is shown in."""
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
_SLIDESHOW = GalleryMode("slideshow", has_rows=False, module="mediawiki.page.gallery.slideshow")
MODES: Mapping[str, GalleryMode] = MappingProxyType(
    {
        mode.name: mode
        for mode in (
            TRADITIONAL,
            GalleryMode("nolines", padding=0, borders=0),
            _packed("packed", is_overlay=False),
            _packed("packed-hover", is_overlay=True),
            _packed("packed-overlay", is_overlay=True),
            _SLIDESHOW,
        )
    }
)


def pixels(length: float) -> str:
    """A length as PHP writes it: at most 14 digits."""
    return f"{length:.14g}px" if isinstance(length, float) else f"{length}px"
