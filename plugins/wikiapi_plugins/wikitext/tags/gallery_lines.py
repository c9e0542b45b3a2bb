"""The lines of a gallery, and what is known of each when its HTML is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wikiapi.filerepo import File, Size, Thumbnail
from wikiapi.title import Title
from wikiapi.wikitext import ParseState, trim
from wikiapi.wikitext.media import (
    LinkOption,
    PageFiles,
    Picture,
    RequestedSize,
    attribute_text,
    is_language_tag,
    split_options,
)
from wikiapi_plugins.wikitext.tags.gallery_modes import GalleryLayout

_OPTIONS = frozenset({"img_alt", "img_link", "img_lang"})


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
            option = state.parser.media_words.find(trim(part), _OPTIONS)
            if option is None:
                line.text = line.text_of_others = part
            elif option.name == "img_alt":
                line.alt = option.value
            elif option.name == "img_link":
                line.link.read(option.value or "", state)
            else:
                value = option.value or ""
                line.text_of_others = part
                if is_language_tag(value):
                    line.language = value
                else:
                    line.text = part
        return line


@dataclass(slots=True)
class ShownBox:
    """A line whose file has been looked up.

    Attributes:
        title: the title as the page has it, which may be that of a redirect or of another page.
        file: the file; ``None`` if it does not exist.
        line: the options of the line.
        text: the text below the picture, for this file.
        layout: the layout of the gallery.
        size: the size that was requested.
        thumbnails: the picture, then those for screens of higher density; empty for a missing file.
        is_bad: whether the file must not be shown on this page.
        files: the files of the page.
        state: the state of the rendering.
    """

    title: Title
    file: File | None
    line: GalleryLine
    text: str
    layout: GalleryLayout
    size: RequestedSize
    thumbnails: Sequence[Thumbnail | None]
    is_bad: bool
    files: PageFiles
    state: ParseState

    @property
    def thumbnail(self) -> Thumbnail | None:
        """The picture; ``None`` if there is none, or it could not be made."""
        return self.thumbnails[0] if self.thumbnails else None

    @property
    def width(self) -> float:
        """The width of the box."""
        thumbnail = self.thumbnail
        return self.layout.mode.box_width(
            self.layout.width, thumbnail.size.width if thumbnail else None
        )

    def plain(self, html: str) -> str:
        """Return the text of half-parsed HTML."""
        return attribute_text(html, self.state)

    def alt(self) -> str | None:
        """Return the alternative text; ``None`` if the line has neither that nor a text."""
        if self.line.alt is not None:
            return self.plain(self.line.alt)
        return self.plain(self.text) if self.text else None

    def picture(self, file: File, thumbnail: Thumbnail, alt: str | None) -> Picture:
        """Return the picture in the size at which the mode shows it."""
        mode, tip = self.layout.mode, self.plain(self.text)
        size = Size(
            mode.display_size(thumbnail.size.width), mode.display_size(thumbnail.size.height)
        )
        link, language = self.line.link, self.size.language
        return Picture(file.title, self.thumbnails, link, alt, tip, language, size=size)
