"""Captions of pictures that do not show them, which ``data-mw`` has as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

from wikiapi.budget import Budget
from wikiapi.wikitext.html.entities import quoted
from wikiapi.wikitext.parsoid.attributes import as_json
from wikiapi.wikitext.parsoid.outline import Outline
from wikiapi.wikitext.parsoid.ranges import Ranges
from wikiapi.wikitext.parsoid.sources import CAPTION, Sources


@dataclass(slots=True)
class _Caption:
    """A caption, with the captions in it, and the ends of its elements that come from calls."""

    outline: Outline
    captions: Captions
    calls: Mapping[int, int] = field(default_factory=dict)


class Captions:
    """The captions of the pictures in a document, by the places of the pictures."""

    def __init__(self, outline: Outline, sources: Sources, budget: Budget) -> None:
        """Read the captions, before the document is changed."""
        self._outline, self._sources, self._budget = outline, sources, budget
        self._captions: dict[int, _Caption] = {}
        if not sources.captions:
            return
        for place in outline.places_with(CAPTION):
            html = sources.caption(outline.attribute(place, CAPTION) or "")
            outline.unset(place, CAPTION)
            if html is None:
                continue
            caption = Outline(html, budget)
            self._captions[place] = _Caption(caption, Captions(caption, sources, budget))

    def __contains__(self, place: object) -> bool:
        """Return whether the element at a place is a picture with such a caption."""
        return place in self._captions

    def __iter__(self) -> Iterator[int]:
        """Return an iterator over the places of the pictures."""
        return iter(self._captions)

    def describe_calls(self) -> None:
        """Say of the elements which calls they come from, after this is said of the document's."""
        for caption in self._captions.values():
            ranges = Ranges(self._sources, self._budget)
            ranges.describe(caption.outline)
            caption.calls = ranges.within
            caption.captions.describe_calls()

    def identify(self, place: int, ids: Iterator[str]) -> None:
        """Add ids to the elements of a picture's caption, but not to those that come from calls."""
        caption = self._captions[place]
        caption.outline.identify(caption.captions.written(caption.calls, ids), ids)

    def written(self, calls: Mapping[int, int], ids: Iterator[str]) -> Iterator[int]:
        """Yield the elements of the document that come from the source.

        Those in the caption of a picture get ids before the picture.
        """
        hidden_to = 0
        for place in range(1, len(self._outline.tags)):
            if place in calls:
                hidden_to = max(hidden_to, calls[place])
            elif place > hidden_to and self._outline.is_element(place):
                if place in self:
                    self.identify(place, ids)
                yield place

    def describe(self) -> None:
        """Add the captions to what the pictures' ``data-mw`` says."""
        outline = self._outline
        for place, caption in self._captions.items():
            caption.captions.describe()
            html = _TOKEN.sub(_serialized, caption.outline.html({})).strip()
            data = json.loads(outline.attribute(place, "data-mw") or "{}")
            text = as_json({**data, "caption": html})
            self._budget.keep(text)
            outline.set(place, {"data-mw": text})


_TOKEN = re.compile(r"<[^>]*+(?:>|\Z)|&gt;")
_VALUE = re.compile(r'="([^"]*+)"')


def _serialized(match: re.Match[str]) -> str:
    """Return a tag or a character as Parsoid writes HTML within attributes."""
    if match[0] == "&gt;":
        return ">"
    tag = match[0].replace(" />", "/>")
    return _VALUE.sub(lambda value: f"={quoted(unescape(value[1]))}", tag)
