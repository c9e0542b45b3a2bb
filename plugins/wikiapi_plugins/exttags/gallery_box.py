"""One picture of a gallery: its line, and the box it becomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi.filerepo.scaling import Size
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.media.broken import ERROR, broken_media, thumbnail_error
from wikiapi.wikitext.media.held import MediaUse
from wikiapi.wikitext.media.linkoption import LinkOption
from wikiapi.wikitext.media.options import is_language_tag, split_options, trimmed
from wikiapi.wikitext.media.picture import Picture
from wikiapi.wikitext.media.plaintext import attribute_text
from wikiapi.wikitext.media.sizing import Asked, is_vector
from wikiapi_plugins.exttags.gallery_modes import pixels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.filerepo.file import File
    from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest
    from wikiapi.title.title import Title
    from wikiapi.wikitext.media.held import FoundFiles
    from wikiapi.wikitext.state import ParseState
    from wikiapi_plugins.exttags.gallery_modes import GalleryMode

_OPTIONS = frozenset({"img_alt", "img_link", "img_lang"})


@dataclass(frozen=True, slots=True)
class GalleryLayout:
    """What the boxes of one gallery have in common; the size is that of the largest picture."""

    mode: GalleryMode
    width: int
    height: int
    shows_names: bool


@dataclass(slots=True)
class GalleryLine:
    """What a line says of its file. The last part that is no option is the text.

    ``text_of_others`` is the text for files without languages, to which ``lang=`` is one.
    """

    alt: str | None = None
    link: LinkOption = field(default_factory=LinkOption)
    language: str = ""
    text: str = ""
    text_of_others: str = ""

    @classmethod
    def read(cls, html: str, state: ParseState) -> GalleryLine:
        """Read the parts of a line behind its title, half parsed already."""
        line = cls()
        for part in split_options(html) if html else ():
            found = state.parser.media_words.find(trimmed(part), _OPTIONS)
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
    """A box that waits for its file."""

    def __init__(
        self, title: Title, line: GalleryLine, layout: GalleryLayout, state: ParseState
    ) -> None:
        """A box of a gallery, for a title of any namespace: only files can be shown."""
        self._title = title
        self._line = line
        self._layout = layout
        self._state = state
        self._asked = Asked(None, None, None)

    @property
    def titles(self) -> Sequence[Title]:
        """The file."""
        return (self._title,)

    @property
    def text(self) -> str:
        """The text below."""
        return self._line.text_of_others

    @property
    def use(self) -> MediaUse | None:
        """In a gallery, which sets the size."""
        return MediaUse(self._title, in_gallery=True)

    def link_addresses(self) -> None:
        """Lines are parsed for themselves, addresses included."""

    def is_broken(self, found: FoundFiles) -> bool:
        """Whether there is no such file."""
        return found.file(self._title) is None

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """The picture in its sizes."""
        layout = self._layout
        file = found.file(self._title)
        width, height = layout.mode.bounds(layout.width, layout.height)
        language = self._line.language if file and is_vector(file) else ""
        self._asked = Asked(file, width, height, language)
        return self._asked.requests()

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """The box, a list item."""
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
            file.title, thumbnails, self._line.link, alt, tip, self._asked.language, size=size
        )
        width = pixels(mode.picture_width(layout.width, shown.size.width))
        height = f" height: {layout.height + mode.padding}px;" if mode.has_height else ""
        return _thumb(f"width: {width};{height}", "mw:File", picture.html(self._state))

    def _broken(
        self, file: File | None, shown: Thumbnail | None, text: str, found: FoundFiles
    ) -> str:
        if file and not shown:
            label = thumbnail_error(self._state, known=file.is_local)
        else:
            label = self._alt(text) or ""
        title = file.title if file else self._title
        html = broken_media(title, label, self._asked, found, self._state, exists=file is not None)
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
        if not text.strip():
            return ""
        style = f"width: {mode.text_width(box_width)}px"
        return (
            f'\n\t\t\t<div class="gallerytextwrapper" style="{style}">'
            f'<div class="gallerytext">{text}</div>\n\t\t\t</div>'
        )


def _thumb(style: str, kind: str, media: str) -> str:
    span = f'<span typeof="{kind}">{media}</span>'
    return f'\n\t\t\t<div class="thumb" style="{style}">{span}</div>'
