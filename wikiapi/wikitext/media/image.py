"""Images: ``[[File:name|options|caption]]``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.filerepo.file import File, Thumbnail, ThumbRequest
from wikiapi.title.namespaces import FILE, MEDIA
from wikiapi.title.title import Title
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.linkholders import known_link
from wikiapi.wikitext.media import figures, thumbs
from wikiapi.wikitext.media.broken import ERROR, upload_url
from wikiapi.wikitext.media.form import MediaForm
from wikiapi.wikitext.media.holders import MediaUse, PageFiles
from wikiapi.wikitext.media.options import LinkOption, read_options
from wikiapi.wikitext.media.picture import LoadedImage
from wikiapi.wikitext.media.plaintext import known_text
from wikiapi.wikitext.media.sizing import (
    RequestedSize,
    can_be_shown,
    is_vector,
    size_of_file,
    size_of_manual_thumbnail,
    size_of_missing,
)
from wikiapi.wikitext.parsoid.links import MEDIA_LINK, page_link
from wikiapi.wikitext.parsoid.sources import local_href

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState


class Image:
    """An image, whose HTML is made when its file has been looked up."""

    def __init__(self, title: Title, text: str, state: ParseState) -> None:
        """Read the options, and record the links in them.

        ``text`` is the part after the file's name, with its links replaced.
        """
        self._title = title
        self._state = state
        self._options = read_options(text, state)
        self._size = RequestedSize(None, None, None)

    @cached_property
    def _manual(self) -> Title | None:
        """The file that ``thumb=`` names, which is shown instead."""
        name = known_text(self._options.manual_thumb, self._state)
        title = self._state.site.titles.try_parse(name, FILE) if name else None
        return title if title and title.ns == FILE else None

    @property
    def titles(self) -> Sequence[Title]:
        """The file, and the one shown instead of it, if any."""
        return (self._title, self._manual) if self._manual else (self._title,)

    @property
    def text(self) -> str:
        """The caption, if it is shown."""
        return self._options.caption_of_others if self._options.is_block else ""

    @property
    def use(self) -> MediaUse | None:
        """How the image shows its file, according to its options."""
        options = self._options
        smaller = options.format in ("thumbnail", "manualthumb", "frameless")
        classes = tuple(options.css.split())
        return MediaUse(self._title, options.width, options.height, smaller, classes=classes)

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Replace the caption, if it is shown or described, by the result of ``change``."""
        options = self._options
        if not options.is_block and self._state.sources is None:
            return
        same = options.caption == options.caption_of_others
        options.caption_of_others = change(options.caption_of_others)
        if same:
            options.caption = options.caption_of_others

    def is_broken(self, files: PageFiles) -> bool:
        """Return whether the file does not exist."""
        return files.file(self._title) is None

    def requests(self, files: PageFiles) -> Sequence[ThumbRequest]:
        """Return requests for the picture in all sizes that it needs."""
        file, options = files.file(self._title), self._options
        if file is None:
            self._size = size_of_missing(options)
            return ()
        thumb_width = self._state.thumb_width
        _, language = options.for_file(has_languages=is_vector(file))
        if options.format == "manualthumb":
            other = files.file(self._manual) if self._manual else None
            self._size = size_of_manual_thumbnail(options, file, other, language, thumb_width)
        else:
            draws = self._state.site.config.files.svg_thumbnails
            self._size = size_of_file(options, file, language, thumb_width, draws_vectors=draws)
        return self._size.requests() if can_be_shown(file) else ()

    def html(self, files: PageFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return the image with its caption and the elements around it, on one line."""
        file = files.file(self._title)
        if file and not can_be_shown(file):
            label = escape_text(file.title.prefixed_text)
            if self._state.options.parsoid:
                return page_link(file.title, label, "", self._state.addresses)
            return known_link(file.title, label, self._state.site)
        caption, language = self._options.for_file(has_languages=bool(file and is_vector(file)))
        is_bad = bool(file and thumbnails and files.is_bad(self._manual or file.title))
        image = LoadedImage(
            self._title,
            file,
            self._options,
            caption,
            language,
            self._size,
            thumbnails,
            is_bad,
            files,
            self._state,
        )
        return _WRITERS[self._state.media_form](image)


_WRITERS: Mapping[MediaForm, Callable[[LoadedImage], str]] = MappingProxyType(
    {MediaForm.FIGURES: figures.image_html, MediaForm.THUMBS: thumbs.image_html}
)


class MediaLink:
    """A link to a file, whose HTML is made when the file has been looked up."""

    def __init__(self, title: Title, label: str, state: ParseState) -> None:
        """Create a link to the file of a title in the Media namespace."""
        self._title = state.site.titles.make(FILE, title.dbkey)
        self._state = state
        self.text = label

    @property
    def titles(self) -> Sequence[Title]:
        """The file."""
        return (self._title,)

    @property
    def use(self) -> MediaUse | None:
        """``None``, since a link shows no file."""
        return None

    def is_broken(self, files: PageFiles) -> bool:
        """Return false, since links to missing files are not tracked."""
        return False

    def requests(self, files: PageFiles) -> Sequence[ThumbRequest]:
        """Return no requests, since a link shows no picture."""
        return ()

    def html(self, files: PageFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return a link to the file, or to the page where it can be uploaded."""
        file = files.file(self._title)
        if self._state.options.parsoid:
            return self._parsoid_html(file)
        url = file.current.url if file else upload_url(self._title, self._state.site)
        attributes = {
            "href": url,
            "class": "internal" if file else "new",
            "title": file.title.text if file else self._title.text,
        }
        return f"<a{encode_attributes(attributes)}>{self.text}</a>"

    def _parsoid_html(self, file: File | None) -> str:
        site = self._state.site
        title = file.title if file else self._title
        attributes = {"rel": MEDIA_LINK}
        if file:
            url = file.current.url
            is_path = url.startswith("/") and not url.startswith("//")
            attributes["href"] = f"{site.config.site.server}{url}" if is_path else url
        else:
            attributes["href"] = self._state.addresses.missing_file(title)
            attributes["typeof"] = ERROR.rstrip()
            attributes |= figures.error_attributes(None, LinkOption(), "")
        attributes["resource"] = local_href(site.titles.make(MEDIA, title.dbkey))
        attributes["title"] = title.text
        return f"<a{encode_attributes(attributes)}>{self.text}</a>"

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Do nothing, since the label of a link contains neither links nor headings."""
