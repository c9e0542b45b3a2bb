"""Options of images: the parts between the pipes of ``[[File:name|...]]``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from wikiapi.texts import trim
from wikiapi.title.namespaces import FILE, MAIN, MEDIA
from wikiapi.title.references import decode_references
from wikiapi.title.title import Title
from wikiapi.wikitext.html.ids import section_name
from wikiapi.wikitext.inline.externallinks import note_external_link
from wikiapi.wikitext.media.plaintext import known_text
from wikiapi.wikitext.media.words import NamedOption
from wikiapi.wikitext.pagemessages import Notices
from wikiapi.wikitext.parsoid.clearing import clear
from wikiapi.wikitext.parsoid.marks import without_marks

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_ALIGN = {f"img_{name}": name for name in ("left", "right", "center", "none")}
_VALIGN = {
    f"img_{name.replace('-', '_')}": name
    for name in ("baseline", "sub", "super", "top", "text-top", "middle", "bottom", "text-bottom")
}
_FORMATS = {f"img_{name}": name for name in ("thumbnail", "manualthumb", "framed", "frameless")}
_LINK = "img_link"
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z", re.ASCII)
_LARGEST_FACTOR = 1e6
_LANGUAGE = re.compile(
    r"(?:[a-z]{2,8}|[a-z]{2,3}(?:-[a-z]{3}){1,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[a-wy-z](?:-[a-z0-9]{2,8})+)*"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?\Z",
    re.ASCII | re.IGNORECASE,
)
_DELIMITER = re.compile(r"\||-\{|\}-")


@dataclass(slots=True)
class LinkOption:
    """The values of ``link=``, which may be given several times. A URL has priority."""

    url: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    """Attributes of a link to the URL, besides ``href`` and ``class``."""
    title: Title | None = None
    nowhere: bool = False
    """Whether the value is empty, so that the picture is not linked."""
    text: str | None = None
    """The last value; ``None`` if none is given."""

    @property
    def is_given(self) -> bool:
        """Whether the picture does not link to its file's page."""
        return bool(self.url or self.title or self.nowhere)

    def read(
        self, value: str, state: ParseState, note: Callable[[Title, ParseState], None] | None = None
    ) -> bool:
        """Read a value and record the link; return false if the value is not a valid target.

        ``note`` records a link to a page; the default is the behaviour for images.
        """
        text = self.text = known_text(value, state)
        protocols = state.link_rules.protocols
        if not text:
            self.nowhere = True
        elif protocols.start.match(text):
            if not protocols.address.match(text):
                return False
            note_external_link(text, state)
            self.url, self.attributes = text, state.link_rules.attributes(text, state.title)
        else:
            name = unquote(text, errors="replace") if "%" in text else text
            if name.startswith("#"):
                fragment = section_name(decode_references(name[1:]))
                title = Title(state.site.namespaces[MAIN], "", fragment) if fragment else None
            else:
                title = state.site.titles.try_parse(name)
            if title is None:
                return False
            (note or _note_link)(title, state)
            self.title = title
        return True


def _note_link(title: Title, state: ParseState) -> None:
    if title.interwiki:
        state.output.interwiki_links.setdefault((title.interwiki, title.dbkey), title)
    elif title.ns == MEDIA:
        state.links.add(state.site.titles.make(FILE, title.dbkey))
    elif title.dbkey:
        state.links.add(title)


@dataclass(slots=True)
class ImageOptions:
    """The options of one image. ``None`` or an empty string stands for an option not given.

    Attributes:
        format: ``thumbnail``, ``manualthumb``, ``framed`` or ``frameless``.
        manual_thumb: name of the file shown instead.
        upright: factor for the default width; 0 for the default factor.
        width: in pixels, as is ``height``.
        alt: half-parsed wikitext, as are ``css`` and ``caption``.
        language: the language of the texts in a drawing.
        page: the page of a document; only Parsoid's HTML has it, for all files.
        caption: the last part that is not an option.
        caption_of_others: the caption for files without languages, for which ``lang=`` is a
            caption.
        marks: for Parsoid's HTML, source marks of calls in options other than the caption.
        names: the names of the options in their order: ``img_alt``, ``img_link``...
    """

    format: str = ""
    manual_thumb: str = ""
    align: str = ""
    valign: str = ""
    border: bool = False
    upright: float | None = None
    width: int | None = None
    height: int | None = None
    alt: str | None = None
    css: str = ""
    link: LinkOption = field(default_factory=LinkOption)
    language: str = ""
    page: str | None = None
    caption: str = ""
    caption_of_others: str = ""
    marks: str = ""
    names: list[str] = field(default_factory=list)

    @property
    def has_frame(self) -> bool:
        """Whether the image is shown in a frame, with its caption below."""
        return self.format in ("thumbnail", "manualthumb", "framed")

    @property
    def is_block(self) -> bool:
        """Whether the image is a block, not part of the line it is in."""
        return bool(self.align) or self.has_frame

    def for_file(self, *, has_languages: bool) -> tuple[str, str]:
        """Return caption and language, depending on whether the file has several languages."""
        if has_languages:
            return self.caption, self.language
        return self.caption_of_others, ""

    def take_caption(self, part: str) -> None:
        """Set the caption to a part that is not an option."""
        self.caption = self.caption_of_others = part

    def take_language(self, part: str, value: str) -> bool:
        """Set the language, which is an option only for some files; return false if invalid."""
        if not is_language_tag(value):
            return False
        self.language = value
        self.caption_of_others = part
        return True


def is_language_tag(text: str) -> bool:
    """Return whether a text has the form of a language tag (BCP 47)."""
    return bool(_LANGUAGE.match(text))


def split_options(text: str) -> list[str]:
    """Return the parts between pipes; pipes between ``-{`` and ``}-`` do not count."""
    parts: list[str] = []
    start = depth = 0
    for match in _DELIMITER.finditer(text):
        if match[0] == "-{":
            depth += 1
        elif match[0] == "}-":
            depth -= 1
        elif not depth:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def read_options(text: str, state: ParseState) -> ImageOptions:
    """Return the options in a text; the last part that is not an option is the caption."""
    reader = _OptionReader(state)
    words = state.parser.media_words
    for part in split_options(text):
        plain = without_marks(part)
        option = words.find(trim(plain), _READERS)
        if option is None or not _READERS[option.name](reader, plain, option):
            reader.options.take_caption(part)
            continue
        reader.options.names.append(option.name)
        if plain != part and state.sources is not None and option.name != _LINK:
            name = option.name.removeprefix("img_")
            reader.options.marks += clear(part, state.sources, name, is_option=True).before
    return reader.options


class _OptionReader:
    """Reads the options of one image: a method for each, which returns false if it is invalid."""

    def __init__(self, state: ParseState) -> None:
        self._state = state
        self.options = ImageOptions()

    def align(self, part: str, option: NamedOption) -> bool:
        self.options.align = self.options.align or _ALIGN[option.name]
        return True

    def valign(self, part: str, option: NamedOption) -> bool:
        self.options.valign = self.options.valign or _VALIGN[option.name]
        return True

    def format(self, part: str, option: NamedOption) -> bool:
        """Read a format. Only the first one counts; later ones are captions."""
        if self.options.format:
            return False
        self.options.format = _FORMATS[option.name]
        self.options.manual_thumb = option.value or ""
        return True

    def border(self, part: str, option: NamedOption) -> bool:
        self.options.border = True
        return True

    def upright(self, part: str, option: NamedOption) -> bool:
        if option.value is None:
            self.options.upright = 0.0
            return True
        if not _NUMBER.match(trim(option.value)):
            return False
        factor = float(option.value)
        self.options.upright = max(-_LARGEST_FACTOR, min(factor, _LARGEST_FACTOR))
        return True

    def link(self, part: str, option: NamedOption) -> bool:
        is_valid = self.options.link.read(option.value or "", self._state)
        # In Parsoid's HTML, an invalid target is not shown as the caption.
        return is_valid or self._state.options.parsoid

    def alt(self, part: str, option: NamedOption) -> bool:
        self.options.alt = option.value or ""
        return True

    def css(self, part: str, option: NamedOption) -> bool:
        self.options.css = option.value or ""
        return True

    def language(self, part: str, option: NamedOption) -> bool:
        return self.options.take_language(part, option.value or "")

    def page(self, part: str, option: NamedOption) -> bool:
        """Read a page for Parsoid's HTML; otherwise, it is a caption: no documents are rendered."""
        self.options.page = option.value or ""
        return self._state.options.parsoid

    def width(self, part: str, option: NamedOption) -> bool:
        size = read_box(option.value or "", self._state.notices)
        self.options.width = size.width or self.options.width
        self.options.height = size.height or self.options.height
        return bool(size)


_READERS: Mapping[str, Callable[[_OptionReader, str, NamedOption], bool]] = {
    **dict.fromkeys(_ALIGN, _OptionReader.align),
    **dict.fromkeys(_VALIGN, _OptionReader.valign),
    **dict.fromkeys(_FORMATS, _OptionReader.format),
    "img_border": _OptionReader.border,
    "img_upright": _OptionReader.upright,
    _LINK: _OptionReader.link,
    "img_alt": _OptionReader.alt,
    "img_class": _OptionReader.css,
    "img_lang": _OptionReader.language,
    "img_page": _OptionReader.page,
    "img_width": _OptionReader.width,
}
"""The reader of each option."""


LARGEST = 2**63 - 1
"""Larger sizes are reduced to this."""

_WIDTH = re.compile(r"([0-9]*+)\s*+(?:(px)\s*+)?\Z", re.ASCII)
_BOX = re.compile(r"([0-9]*+)x([0-9]*+)\s*+(?:(px)\s*+)?\Z", re.ASCII)
_ENOUGH_DIGITS = 20


class WrittenSize(NamedTuple):
    """Width and height in pixels; ``None`` if not given or 0."""

    width: int | None = None
    height: int | None = None

    def __bool__(self) -> bool:
        """Return whether width or height is given."""
        return bool(self.width or self.height)


def read_box(text: str, notices: Notices) -> WrittenSize:
    """Return a size written as ``10px``, ``x10px`` or ``10x10px``; otherwise an empty one."""
    match = _BOX.match(text)
    if match is None:
        return read_width(text, notices)
    _note_doubled(match[3], notices)
    return WrittenSize(_pixels(match[1]), _pixels(match[2]))


def read_width(text: str, notices: Notices) -> WrittenSize:
    """Return a size written as ``10px``; otherwise an empty one."""
    match = _WIDTH.match(text) if text else None
    if match is None:
        return WrittenSize()
    _note_doubled(match[2], notices)
    return WrittenSize(_pixels(match[1]))


def _note_doubled(unit: str | None, notices: Notices) -> None:
    """Add a tracking category if there is a unit, since one has already been removed."""
    if unit:
        notices.add_tracking_category("double-px-category")


def _pixels(digits: str) -> int | None:
    significant = digits.lstrip("0")
    if len(significant) >= _ENOUGH_DIGITS:
        return LARGEST
    return min(int(significant), LARGEST) if significant else None
