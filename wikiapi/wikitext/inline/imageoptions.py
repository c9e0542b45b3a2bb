"""What stands between the pipes of ``[[File:name|...]]``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("thumbnail", "thumb"), ("format", "thumb")),
        **dict.fromkeys(("framed", "enframed", "frame"), ("format", "frame")),
        "frameless": ("format", "frameless"),
        **{name: ("align", name) for name in ("left", "right", "none")},
        **dict.fromkeys(("center", "centre"), ("align", "center")),
        **{
            name: ("valign", name)
            for name in ("baseline", "sub", "top", "text-top", "middle", "bottom", "text-bottom")
        },
        **dict.fromkeys(("super", "sup"), ("valign", "super")),
        "border": ("border", "1"),
        "upright": ("upright", ""),
    }
)
"""Options that are a word alone: which option, and its value."""
_VALUED = re.compile(
    r"(?:(thumbnail|thumb|alt|link|class|lang|page|upright)=|(upright|page) )(.*)\Z", re.DOTALL
)
_SIZE = re.compile(r"([0-9]{0,7})(?:x([0-9]{1,7}))?[ \t]*px(?:[ \t]*px)?\Z", re.ASCII)
_NUMBER = re.compile(r"[0-9]{0,4}(?:\.[0-9]{1,4})?\Z", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z", re.ASCII)
_PAGE = re.compile(r"[1-9][0-9]{0,6}\Z", re.ASCII)
_DEFAULT_UPRIGHT = 0.75


@dataclass(slots=True)
class ImageOptions:
    """The options of one image. Sizes are pixels, 0 where not given; ``None``: not said."""

    caption: str = ""
    format: str = ""
    """``thumb``, ``frame``, ``frameless``, or empty for an image in the line."""
    manual_thumb: str = ""
    align: str = ""
    valign: str = ""
    border: str = ""
    width: int = 0
    height: int = 0
    upright: float = 0.0
    alt: str | None = None
    link: str | None = None
    css: str = ""
    language: str = ""
    page: int = 0

    @property
    def is_block(self) -> bool:
        """Whether the image stands apart from the line it is in."""
        return bool(self.align) or self.format in ("thumb", "frame")

    @property
    def has_frame(self) -> bool:
        """Whether the caption is shown."""
        return self.format in ("thumb", "frame")


def read_options(
    text: str, *, has_pages: bool = False, has_languages: bool = False
) -> ImageOptions:
    """The options in a text; what is none of them is the caption, the last one wins.

    Args:
        text: what follows the file's name.
        has_pages: whether the file is a document of several pages.
        has_languages: whether the file's texts come in several languages.
    """
    options = ImageOptions()
    for part in text.split("|") if text else ():
        stripped = part.strip(" \t\n\r\0\x0b")
        if not (
            _word(options, stripped)
            or _size(options, stripped)
            or _valued(options, stripped, has_pages=has_pages, has_languages=has_languages)
        ):
            options.caption = part
    return options


def _word(options: ImageOptions, word: str) -> bool:
    if word not in _WORDS:
        return False
    name, value = _WORDS[word]
    if name == "upright":
        options.upright = options.upright or _DEFAULT_UPRIGHT
    elif not getattr(options, name):
        setattr(options, name, value)
    elif name == "format":
        return False
    return True


def _size(options: ImageOptions, text: str) -> bool:
    match = _SIZE.match(text)
    if match is None or not (match[1] or match[2]):
        return False
    width, height = int(match[1] or 0), int(match[2] or 0)
    if (match[1] and not width) or (match[2] and not height):
        return False
    options.width, options.height = width, height
    return True


def _valued(options: ImageOptions, text: str, *, has_pages: bool, has_languages: bool) -> bool:
    match = _VALUED.match(text)
    if match is None:
        return False
    name, value = match[1] or match[2], match[3].strip()
    if name in ("alt", "link"):
        setattr(options, name, value)
    elif name == "class":
        options.css = value
    elif name == "upright":
        return _upright(options, value)
    elif name == "lang" and has_languages and _LANGUAGE.match(value):
        options.language = value
    elif name == "page" and has_pages and _PAGE.match(value):
        options.page = int(value)
    elif name in ("thumb", "thumbnail") and not options.format:
        options.format, options.manual_thumb = "thumb", value
    else:
        return False
    return True


def _upright(options: ImageOptions, value: str) -> bool:
    if not value or not _NUMBER.match(value):
        return False
    options.upright = float(value)
    return options.upright > 0
