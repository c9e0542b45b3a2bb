"""The lines of an image map: shapes, their links, and the position of the description's icon.

The format is that of https://www.mediawiki.org/wiki/Extension:ImageMap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from wikiapi.title import MEDIA, Title
from wikiapi.wikitext import ParseState, Protocols, trim
from wikiapi.wikitext.media import LinkOption

DESC_TYPES = ("top-right", "bottom-right", "bottom-left", "top-left", "none")
_PAGE = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]\Z")
_WORD = re.compile(r"\w")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,9})?\Z", re.ASCII)
_COORDS = {"default": 0, "rect": 4, "circle": 3, "poly": 2}


class Mistake(Exception):
    """A map that cannot be shown; holds the key and parameter of the error message."""

    def __init__(self, key: str, param: str = "") -> None:
        """Store the key and parameter of the error message."""
        super().__init__(key)
        self.key = key
        self.param = param


@dataclass(frozen=True, slots=True)
class Area:
    """A linked area of the image.

    ``attributes`` are those of its link, whose URL may be its title (``is_named_by_url``).
    """

    shape: str
    coords: tuple[float, ...]
    attributes: dict[str, str]
    title: str
    is_named_by_url: bool


@dataclass(slots=True)
class Areas:
    """All areas of an image, and the link of the rest of it, ``default``."""

    clickable: list[Area] = field(default_factory=list)
    default: Area | None = None
    desc: str = "bottom-right"


def read_areas(lines: Iterable[tuple[int, str]], state: ParseState) -> Areas:
    """Return the areas that numbered lines describe, and record their links.

    Raises:
        Mistake: a line is invalid; the first such line is reported.
    """
    areas, titles = Areas(), list[Title]()
    for number, line in lines:
        words = line.split(None, 1)
        if words[0].lower() == "desc":
            areas.desc = _desc("".join(words[1:]), state)
            continue
        area = _area(line, str(number), titles, state)
        if area.shape == "default":
            areas.default = area
        else:
            areas.clickable.append(area)
    for title in titles:
        # Links to other wikis are not recorded.
        if title.interwiki or not title.dbkey:
            continue
        if title.ns == MEDIA:
            state.output.images.setdefault(title.dbkey)
        else:
            state.links.add(title)
    return areas


def _desc(name: str, state: ParseState) -> str:
    data = state.messages.text("imagemap_desc_types")
    own = [trim(one) for one in data.split(",")]
    for names in (own, DESC_TYPES):
        if name.lower() in names:
            return DESC_TYPES[names.index(name.lower())]
    raise Mistake("imagemap_invalid_desc", data)


def _area(line: str, number: str, titles: list[Title], state: ParseState) -> Area:
    """Return the area that a line describes, and add the title that it links to, if any."""
    end = line.rfind("]") + 1
    linked = line[:end]
    match = _PAGE.search(linked) or _address(state.link_rules.protocols).search(linked)
    if match is None or _WORD.search(line, end):
        raise Mistake("imagemap_no_link", number)
    target, text = trim(match[1]), trim(match[2] or "")
    link = LinkOption()
    if not target or not link.read(target, state, lambda title, _: titles.append(title)):
        raise Mistake("imagemap_invalid_title", number)
    words = line[: match.start()].split()
    shape = words[0].lower() if words else ""
    if shape not in _COORDS:
        raise Mistake("imagemap_unrecognised_shape", number)
    numbers = words[1:] if shape == "poly" else words[1 : _COORDS[shape] + 1]
    if len(numbers) < _COORDS[shape]:
        raise Mistake("imagemap_missing_coord", number)
    if not all(_NUMBER.match(word) for word in numbers):
        raise Mistake("imagemap_invalid_coord", number)
    if shape == "poly" and len(numbers) % 2:
        raise Mistake("imagemap_poly_odd", number)
    coords = tuple(float(word) for word in numbers)
    if link.title is None:
        attributes = {**link.attributes, "href": link.url, "class": "plainlinks"}
    else:
        attributes = {"href": state.site.page_path(link.title)}
    title = text or (link.title.prefixed_text if link.title else link.url)
    return Area(shape, coords, attributes, title, title == link.url)


@cache
def _address(protocols: Protocols) -> re.Pattern[str]:
    """Return the pattern of a link to an address."""
    return re.compile(rf"\[({protocols.any}[^\s\[\]]++)(?:\s++([^\[\]]*))?\]\Z")
