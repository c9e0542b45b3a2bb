"""What stands between the pipes of ``[[File:name|...]]``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from wikiapi.wikitext.media.linkoption import LinkOption
from wikiapi.wikitext.media.words import Found
from wikiapi.wikitext.state import ParseState

_ALIGN = {f"img_{name}": name for name in ("left", "right", "center", "none")}
_VALIGN = {
    f"img_{name.replace('-', '_')}": name
    for name in ("baseline", "sub", "super", "top", "text-top", "middle", "bottom", "text-bottom")
}
_FORMATS = {f"img_{name}": name for name in ("thumbnail", "manualthumb", "framed", "frameless")}
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z", re.ASCII)
_LARGEST_FACTOR = 1e6
_LANGUAGE = re.compile(
    r"(?:[a-z]{2,8}|[a-z]{2,3}(?:-[a-z]{3}){1,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[a-wy-z](?:-[a-z0-9]{2,8})+)*"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?\Z",
    re.ASCII | re.IGNORECASE,
)
_TRIMMED = " \t\n\r\0\x0b"
_DELIMITER = re.compile(r"\||-\{|\}-")


@dataclass(slots=True)
class ImageOptions:
    """The options of one image. ``None`` and empty: not given.

    Attributes:
        format: ``thumbnail``, ``manualthumb``, ``framed`` or ``frameless``.
        manual_thumb: name of the file shown instead.
        upright: factor of the usual width; 0 for the usual factor.
        width: in pixels, as ``height``.
        alt: wikitext half parsed, as ``css`` and ``caption``.
        language: of the texts within a drawing.
        caption: the last part that is no option.
        caption_of_others: the same for files without languages, to which ``lang=`` is a caption.
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
    caption: str = ""
    caption_of_others: str = ""

    @property
    def has_frame(self) -> bool:
        """Whether the image stands in a frame, with its caption below."""
        return self.format in ("thumbnail", "manualthumb", "framed")

    @property
    def is_block(self) -> bool:
        """Whether the image stands apart from the line it is in."""
        return bool(self.align) or self.has_frame

    def for_file(self, *, has_languages: bool) -> tuple[str, str]:
        """Caption and language, by whether the file comes in several languages."""
        if has_languages:
            return self.caption, self.language
        return self.caption_of_others, ""

    def take_caption(self, part: str) -> None:
        """What is no option for any file."""
        self.caption = self.caption_of_others = part

    def take_language(self, part: str, value: str) -> bool:
        """What is an option for some files only."""
        if not is_language_tag(value):
            return False
        self.language = value
        self.caption_of_others = part
        return True


def is_language_tag(text: str) -> bool:
    """Whether a text has the form of a language tag (BCP 47)."""
    return bool(_LANGUAGE.match(text))


def split_options(text: str) -> list[str]:
    """The parts between pipes; pipes within ``-{`` and ``}-`` do not count."""
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


def trimmed(part: str) -> str:
    """A part as it is compared with the words of options."""
    return part.strip(_TRIMMED)


def read_options(text: str, state: ParseState) -> ImageOptions:
    """The options in a text; what is none of them is the caption, the last one wins."""
    options = ImageOptions()
    words = state.parser.media_words
    for part in split_options(text):
        found = words.find(trimmed(part), _READERS)
        if found is None or not _READERS[found.name](options, part, found, state):
            options.take_caption(part)
    return options


def _align(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    options.align = options.align or _ALIGN[found.name]
    return True


def _valign(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    options.valign = options.valign or _VALIGN[found.name]
    return True


def _format(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    """The first format counts, later ones are text."""
    if options.format:
        return False
    options.format = _FORMATS[found.name]
    options.manual_thumb = found.value or ""
    return True


def _border(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    options.border = True
    return True


def _upright(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    if found.value is None:
        options.upright = 0.0
        return True
    if not _NUMBER.match(trimmed(found.value)):
        return False
    factor = float(found.value)
    options.upright = max(-_LARGEST_FACTOR, min(factor, _LARGEST_FACTOR))
    return True


def _link(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    return options.link.read(found.value or "", state)


def _alt(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    options.alt = found.value or ""
    return True


def _class(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    options.css = found.value or ""
    return True


def _language(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    return options.take_language(part, found.value or "")


def _width(options: ImageOptions, part: str, found: Found, state: ParseState) -> bool:
    size = read_box(found.value or "", state)
    options.width = size.width or options.width
    options.height = size.height or options.height
    return bool(size)


_READERS: Mapping[str, Callable[[ImageOptions, str, Found, ParseState], bool]] = {
    **dict.fromkeys(_ALIGN, _align),
    **dict.fromkeys(_VALIGN, _valign),
    **dict.fromkeys(_FORMATS, _format),
    "img_border": _border,
    "img_upright": _upright,
    "img_link": _link,
    "img_alt": _alt,
    "img_class": _class,
    "img_lang": _language,
    "img_width": _width,
}
"""What each option does; ``page=`` belongs to documents, which are not rendered."""


LARGEST = 2**63 - 1
"""A size that is written with more digits counts as this."""

_WIDTH = re.compile(r"([0-9]*+)\s*+(?:(px)\s*+)?\Z", re.ASCII)
_BOX = re.compile(r"([0-9]*+)x([0-9]*+)\s*+(?:(px)\s*+)?\Z", re.ASCII)
_ENOUGH_DIGITS = 20


class WrittenSize(NamedTuple):
    """Width and height in pixels, ``None`` where not given or 0."""

    width: int | None = None
    height: int | None = None

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.width or self.height)


def read_box(text: str, state: ParseState) -> WrittenSize:
    """A width, a height or both; nothing where the text is neither."""
    match = _BOX.match(text)
    if match is None:
        return read_width(text, state)
    _note_doubled(match[3], state)
    return WrittenSize(_pixels(match[1]), _pixels(match[2]))


def read_width(text: str, state: ParseState) -> WrittenSize:
    """A width alone."""
    match = _WIDTH.match(text) if text else None
    if match is None:
        return WrittenSize()
    _note_doubled(match[2], state)
    return WrittenSize(_pixels(match[1]))


def _note_doubled(unit: str | None, state: ParseState) -> None:
    """The unit has been taken off already; a second one is tolerated."""
    if unit:
        state.notices.add_tracking_category("double-px-category")


def _pixels(digits: str) -> int | None:
    significant = digits.lstrip("0")
    if len(significant) >= _ENOUGH_DIGITS:
        return LARGEST
    return min(int(significant), LARGEST) if significant else None
