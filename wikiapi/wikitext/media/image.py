"""Images: ``[[File:name|options|caption]]``, with the HTML of MediaWiki 1.45."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from wikiapi.filerepo.file import File
from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest
from wikiapi.title.namespaces import FILE
from wikiapi.title.title import Title
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.linkholders import known_link
from wikiapi.wikitext.inline.quotes import format_quotes
from wikiapi.wikitext.media.broken import ERROR, broken_media, thumbnail_error, upload_url
from wikiapi.wikitext.media.holders import FoundFiles, MediaUse
from wikiapi.wikitext.media.linkoption import LinkOption
from wikiapi.wikitext.media.options import read_options
from wikiapi.wikitext.media.picture import Picture
from wikiapi.wikitext.media.plaintext import attribute_text, known_text
from wikiapi.wikitext.media.sizing import (
    RequestedSize,
    can_be_shown,
    is_vector,
    size_of_file,
    size_of_manual_thumbnail,
    size_of_missing,
)
from wikiapi.wikitext.parsoid.clearing import clear
from wikiapi.wikitext.parsoid.sources import as_json
from wikiapi.wikitext.state import ParseState

_NO_FILE = "apierror-filedoesnotexist"
_UNKNOWN = "apierror-unknownerror"


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
        """Replace the caption, if it is shown, by the result of ``change``."""
        options = self._options
        if not options.is_block:
            return
        same = options.caption == options.caption_of_others
        options.caption_of_others = change(options.caption_of_others)
        if same:
            options.caption = options.caption_of_others

    def is_broken(self, found: FoundFiles) -> bool:
        """Return whether the file does not exist."""
        return found.file(self._title) is None

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """Return requests for the picture in all sizes that it needs."""
        file = found.file(self._title)
        self._size = self._requested_size(file, found) if file else size_of_missing(self._options)
        return self._size.requests() if file and can_be_shown(file) else ()

    def _requested_size(self, file: File, found: FoundFiles) -> RequestedSize:
        options = self._options
        _, language = options.for_file(has_languages=is_vector(file))
        if options.format == "manualthumb":
            shown = found.file(self._manual) if self._manual else None
            return size_of_manual_thumbnail(options, file, shown, language)
        draws = self._state.site.config.files.svg_thumbnails
        return size_of_file(options, file, language, draws_vectors=draws)

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return the image with its caption and the elements around it, on one line."""
        file = found.file(self._title)
        if file and not can_be_shown(file):
            return known_link(file.title, escape_text(file.title.prefixed_text), self._state.site)
        caption, language = self._options.for_file(has_languages=bool(file and is_vector(file)))
        shown = thumbnails[0] if thumbnails else None
        if file and shown and not found.is_bad(self._shown_title(file)):
            media = self._picture(file, caption, language, thumbnails)
            return self._wrapped(media, caption, "")
        html = self._broken(file, caption, found, shown)
        return self._wrapped(html, caption, _UNKNOWN if file else _NO_FILE)

    def _shown_title(self, file: File) -> Title:
        return self._manual or file.title

    def _picture(
        self, file: File, caption: str, language: str, thumbnails: Sequence[Thumbnail | None]
    ) -> str:
        options, site = self._options, self._state.site
        link, resource = options.link, ""
        if options.format in ("thumbnail", "manualthumb"):
            resource = site.page_path(file.title)
        if options.format == "manualthumb" and not link.is_given:
            link = LinkOption(title=file.title)
        tip = "" if options.has_frame else self._plain(caption)
        picture = Picture(file.title, thumbnails, link, self._alt(caption), tip, language, resource)
        return picture.html(self._state.site)

    def _alt(self, caption: str) -> str | None:
        if self._options.alt is not None:
            return self._plain(self._options.alt)
        return None if self._options.has_frame or not caption else self._plain(caption)

    def _plain(self, html: str) -> str:
        return attribute_text(html, self._state)

    def _broken(
        self, file: File | None, caption: str, found: FoundFiles, shown: Thumbnail | None
    ) -> str:
        if file is None or shown:
            label = self._alt(caption) or ""
        else:
            invalid = self._options.format != "manualthumb" and file.is_local
            label = thumbnail_error(self._state.messages, known=invalid)
        title = file.title if file else self._title
        html = broken_media(
            title, label, self._size, found, self._state.site, exists=file is not None
        )
        return format_quotes(html)

    def _wrapped(self, media: str, caption: str, error: str) -> str:
        """Return a picture with its caption; ``error`` is a code if it cannot be shown, or ""."""
        options, sources = self._options, self._state.sources
        attributes = {"class": " ".join(self._classes()), "typeof": self._type()}
        if error:
            attributes["typeof"] = f"{ERROR}{attributes['typeof']}"
        marks = ""
        if sources is not None:
            attributes["data-mw"] = self._data(caption, error)
            hidden = "" if options.is_block else clear(caption, sources, "caption").before
            marks = options.marks + hidden
        shown = encode_attributes({name: value for name, value in attributes.items() if value})
        if options.is_block:
            html = f"<figure{shown}>{media}<figcaption>{caption}</figcaption></figure>"
        else:
            html = f"<span{shown}>{media}</span>"
        return marks + html.replace("\n", " ")

    def _data(self, caption: str, error: str) -> str:
        """Return the value of ``data-mw``: a caption that is not shown, and errors."""
        data: dict[str, object] = {}
        if caption and not self._options.is_block:
            data["caption"] = escape_text(self._plain(caption))
        if error:
            data["errors"] = [{"key": error}]
        return as_json(data) if data else ""

    def _type(self) -> str:
        if self._options.format == "framed":
            return "mw:File/Frame"
        if self._options.has_frame:
            return "mw:File/Thumb"
        return "mw:File/Frameless" if self._options.format else "mw:File"

    def _classes(self) -> list[str]:
        options = self._options
        classes = []
        if not options.width and options.format not in ("manualthumb", "framed"):
            classes.append("mw-default-size")
        if options.align:
            classes.append(f"mw-halign-{options.align}")
        elif options.valign and not options.has_frame:
            classes.append(f"mw-valign-{options.valign}")
        if options.border and not options.has_frame:
            classes.append("mw-image-border")
        classes += self._plain(options.css).split(" ")
        return [name for name in dict.fromkeys(classes) if name]


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

    def is_broken(self, found: FoundFiles) -> bool:
        """Return false, since links to missing files are not tracked."""
        return False

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """Return no requests, since a link shows no picture."""
        return ()

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return a link to the file, or to the page where it can be uploaded."""
        file = found.file(self._title)
        url = file.current.url if file else upload_url(self._title, self._state.site)
        attributes = {
            "href": url,
            "class": "internal" if file else "new",
            "title": file.title.text if file else self._title.text,
        }
        return f"<a{encode_attributes(attributes)}>{self.text}</a>"

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Do nothing, since the label of a link contains neither links nor headings."""
