"""The images, sounds and videos of a box."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from wikiapi.filerepo import File, Size, ThumbParams, ThumbRequest
from wikiapi.title import FILE, Title
from wikiapi.wikitext import ParseState, PluginState

_LINK = re.compile(r"\[\[([^\[\]|\n]++)")
_NO_SIZE = Size(0, 0)
_HIGHEST = 500
"""Maximum height of an image in pixels."""
_NUMBERS: PluginState[Iterator[int]] = PluginState(lambda state: count())
"""Numbers the files in all boxes of a page."""
MOST = 50
"""Maximum number of files in one element."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A file in a box; ``small`` and ``large`` are addresses of thumbnails, empty for sounds."""

    file: File
    url: str
    alt: str
    caption: str
    small: str = ""
    large: str = ""
    size: Size = _NO_SIZE
    number: int = 0

    @property
    def name(self) -> str:
        """The name of the file, without its namespace."""
        return self.file.title.text

    @property
    def kind(self) -> str:
        """``image``, ``video`` or ``audio``."""
        media = self.file.current.media_type
        return {"AUDIO": "audio", "VIDEO": "video"}.get(media, "image")

    def data(self) -> dict[str, Any]:
        """Return the data on the file for the page property."""
        return {
            "url": self.url,
            "name": self.name,
            "alt": self.alt or self.name,
            "caption": self.caption or None,
            "isImage": self.kind == "image",
            "isVideo": self.kind == "video",
            "isAudio": self.kind == "audio",
        }

    def sizes(self) -> dict[str, Any]:
        """Return the data on the thumbnail for the page property."""
        if self.kind == "audio":
            return {}
        return {
            "htmlAfter": f"<!--MW-PAGEIMAGES-CANDIDATE-{self.number}-->",
            "height": self.size.height,
            "width": self.size.width,
            "thumbnail": self.small,
            "thumbnail2x": self.large,
        }


def file_names(text: str, state: ParseState) -> list[str]:
    """Return the names of the files in a value, which is a name, a link or a gallery."""
    if not text:
        return []
    visible = state.strip.peek(text) if "\x7f" in text else text
    names = [use.title.text for use in state.media.uses(visible)] if "\x7f" in text else []
    return (names or _LINK.findall(text) or [text])[:MOST]


class Pictures:
    """The files that the elements of a box show."""

    def __init__(self, state: ParseState) -> None:
        """Look up files for the page that ``state`` belongs to."""
        self._state = state
        settings = state.site.config.extensions.get("portableinfobox", {})
        self._width = int(settings.get("image_width", 270))
        self._thumbnail_width = int(settings.get("thumbnail_width", 300))

    def load(self, names: Iterable[str]) -> None:
        """Look up files, all at once."""
        titles = [title for name in names if (title := self._title(name))]
        for title in titles:
            self._state.output.images.setdefault(title.dbkey)
        if self._state.makes_html:
            self._state.files.load(titles)

    def of(self, names: Iterable[str], alt: str, caption: str) -> list[Picture]:
        """Return the existing files of these names."""
        if not self._state.makes_html:
            return []
        matches = [self._state.files.file(title) for name in names if (title := self._title(name))]
        files = [file for file in matches if file is not None]
        requests = [request for file in files for request in self._requests(file)]
        thumbnails = iter(self._state.files.thumbnails(requests))
        numbers = self._state.plugin(_NUMBERS)
        pictures = []
        for file in files:
            url = file.current.url
            own = [next(thumbnails) for _ in self._requests(file)]
            small, large = [one.url if one else url for one in own] or ["", ""]
            size = self._size(file.current.dimensions)
            pictures.append(Picture(file, url, alt, caption, small, large, size, next(numbers)))
        return pictures

    def _title(self, name: str) -> Title | None:
        title = self._state.site.titles.try_parse(name, FILE)
        return title if title and title.ns == FILE and not title.interwiki else None

    def _requests(self, file: File) -> list[ThumbRequest]:
        version = file.current
        if not version.dimensions.width:
            return []
        width = min(self._thumbnail_width, version.dimensions.width)
        return [
            ThumbRequest(file, version, ThumbParams(width=one))
            for one in (width, min(2 * width, version.dimensions.width))
        ]

    def _size(self, original: Size) -> Size:
        """Return the size at which an image is shown: as wide as the box, but not too high."""
        if not original.width:
            return _NO_SIZE
        if original.height * self._width > _HIGHEST * original.width:
            height = min(_HIGHEST, original.height)
            width = round(height * original.width / original.height)
            return Size(min(self._width, width), height)
        width = min(self._width, original.width)
        return Size(width, min(_HIGHEST, round(width * original.height / original.width)))
