"""The boxes of a gallery, each with the picture and text of one line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from wikiapi.filerepo import File, Size, Thumbnail, ThumbRequest
from wikiapi.title import Title
from wikiapi.wikitext import ParseState, encode_attributes, escape_text
from wikiapi.wikitext.media.broken import ERROR, broken_media, thumbnail_error
from wikiapi.wikitext.media.holders import FoundFiles, MediaUse
from wikiapi.wikitext.media.linkoption import LinkOption
from wikiapi.wikitext.media.options import is_language_tag, split_options
from wikiapi.wikitext.media.picture import Picture
from wikiapi.wikitext.media.plaintext import attribute_text
from wikiapi.wikitext.media.sizing import RequestedSize, is_vector
from wikiapi.wikitext.syntax import trim

_OPTIONS = frozenset({"img_alt", "img_link", "img_lang"})


@dataclass(frozen=True, slots=True)
class GalleryLayout:
    """The properties shared by the boxes of a gallery; the size is the largest for a picture."""

    mode: GalleryMode
    width: int
    height: int
    shows_names: bool


@dataclass(slots=True)
class GalleryLine:
    """The options in a line. The last part that is not an option is the text.

    ``text_of_others`` is the text for files without languages, for which ``lang=`` is not an
    option.
    """

    alt: str | None = None
    link: LinkOption = field(default_factory=LinkOption)
    language: str = ""
    text: str = ""
    text_of_others: str = ""

    @classmethod
    def read(cls, html: str, state: ParseState) -> GalleryLine:
        """Return the options in the part of a line after its title, which is half-parsed."""
        line = cls()
        for part in split_options(html) if html else ():
            found = state.parser.media_words.find(trim(part), _OPTIONS)
            if found is None:
                line.text = line.text_of_others = part
            elif found.name == "img_alt":
                line.alt = found.value
            elif found.name == "img_link":
                line.link.read(found.value or "", state)
            else:
                line._read_language(part, found.value or "")
        return line

    def _read_language(self, part: str, value: str) -> None:
        self.text_of_others = part
        if is_language_tag(value):
            self.language = value
        else:
            self.text = part


class GalleryBox:
    """A box, whose HTML is made when its file has been looked up."""

    def __init__(
        self, title: Title, line: GalleryLine, layout: GalleryLayout, state: ParseState
    ) -> None:
        """Create the box for a title, which may be in any namespace; only files can be shown."""
        self._title = title
        self._line = line
        self._layout = layout
        self._state = state
        self._size = RequestedSize(None, None, None)

    @property
    def titles(self) -> Sequence[Title]:
        """The file."""
        return (self._title,)

    @property
    def text(self) -> str:
        """The text below the picture."""
        return self._line.text_of_others

    @property
    def use(self) -> MediaUse | None:
        """The use of the file, without a size, since the gallery determines that."""
        return MediaUse(self._title, in_gallery=True)

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Do nothing, since lines are parsed separately, including their URLs."""

    def is_broken(self, found: FoundFiles) -> bool:
        """Return whether the file does not exist."""
        return found.file(self._title) is None

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """Return requests for the picture in all sizes that it needs."""
        layout = self._layout
        file = found.file(self._title)
        width, height = layout.mode.bounds(layout.width, layout.height)
        language = self._line.language if file and is_vector(file) else ""
        self._size = RequestedSize(file, width, height, language)
        return self._size.requests()

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return the box as a list item."""
        file = found.file(self._title)
        shown = thumbnails[0] if thumbnails else None
        text = self._line.text if file and is_vector(file) else self._line.text_of_others
        if file and shown and not found.is_bad(file.title):
            media = self._shown(file, shown, text, thumbnails)
        else:
            media = self._broken(file, shown, text, found)
        width = self._layout.mode.box_width(self._layout.width, shown.size.width if shown else None)
        name = self._name(file.title if file else self._title)
        return (
            f'\n\t\t<li class="gallerybox" style="width: {pixels(width)}">{media}'
            f"{self._wrapped(name + text, width)}\n\t\t</li>"
        )

    def _shown(
        self, file: File, shown: Thumbnail, text: str, thumbnails: Sequence[Thumbnail | None]
    ) -> str:
        layout = self._layout
        mode = layout.mode
        size = Size(mode.shown(shown.size.width), mode.shown(shown.size.height))
        tip = self._plain(text)
        alt = self._alt(text)
        picture = Picture(
            file.title, thumbnails, self._line.link, alt, tip, self._size.language, size=size
        )
        width = pixels(mode.picture_width(layout.width, shown.size.width))
        height = f" height: {layout.height + mode.padding}px;" if mode.has_height else ""
        return _thumb(f"width: {width};{height}", "mw:File", picture.html(self._state.site))

    def _broken(
        self, file: File | None, shown: Thumbnail | None, text: str, found: FoundFiles
    ) -> str:
        if file and not shown:
            label = thumbnail_error(self._state.messages, known=file.is_local)
        else:
            label = self._alt(text) or ""
        title = file.title if file else self._title
        html = broken_media(
            title, label, self._size, found, self._state.site, exists=file is not None
        )
        height = self._layout.height + self._layout.mode.padding
        return _thumb(f"height: {height}px;", f"{ERROR}mw:File", html)

    def _alt(self, text: str) -> str | None:
        if self._line.alt is not None:
            return self._plain(self._line.alt)
        return self._plain(text) if text else None

    def _plain(self, html: str) -> str:
        return attribute_text(html, self._state)

    def _name(self, title: Title) -> str:
        if not self._layout.shows_names:
            return ""
        attributes = {
            "href": self._state.site.page_path(title),
            "class": "galleryfilename galleryfilename-truncate",
            "title": title.prefixed_text,
        }
        return f"<a{encode_attributes(attributes)}>{escape_text(title.text)}</a>\n"

    def _wrapped(self, text: str, box_width: float) -> str:
        mode = self._layout.mode
        if not mode.is_overlay:
            return f'\n\t\t\t<div class="gallerytext">{text}</div>'
        if not trim(text):
            return ""
        style = f"width: {mode.text_width(box_width)}px"
        return (
            f'\n\t\t\t<div class="gallerytextwrapper" style="{style}">'
            f'<div class="gallerytext">{text}</div>\n\t\t\t</div>'
        )


def _thumb(style: str, kind: str, media: str) -> str:
    span = f'<span typeof="{kind}">{media}</span>'
    return f'\n\t\t\t<div class="thumb" style="{style}">{span}</div>'


# All lengths are pixels.

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

    def shown(self, pixels: int) -> int:
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
    """Return a length for CSS, with at most 14 digits as in PHP."""
    return f"{length:.14g}px" if isinstance(length, float) else f"{length}px"
