"""Conversion of the finished HTML of a page to HTML that follows the DOM specification."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, count

from wikiapi.wikitext.html.tidy import tree_bytes, well_formed
from wikiapi.wikitext.parsoid.captions import Captions
from wikiapi.wikitext.parsoid.marks import without_marks
from wikiapi.wikitext.parsoid.outline import NO_ELEMENTS, Outline
from wikiapi.wikitext.parsoid.ranges import Ranges, place_elements
from wikiapi.wikitext.parsoid.sections import Sections
from wikiapi.wikitext.state import ParseState


def parsoid_html(html: str, state: ParseState) -> str:
    """Return the HTML of a page like Parsoid's, without the element around it.

    Raises:
        ValueError: the rendering has no sources, since Parsoid's HTML was not requested.
    """
    sources = state.sources
    if sources is None:
        raise ValueError("the rendering has not recorded the sources of its parts")
    with state.budget.borrow(tree_bytes(html)):
        html = place_elements(html, sources)
        outline = Outline(html, state.budget)
        if state.page_changes or not outline.is_sound:
            outline = Outline(well_formed(html), state.budget)
        captions = Captions(outline, sources, state.budget)
        ranges = Ranges(sources, state.budget)
        ranges.describe(outline)
        captions.describe_calls()
        indicators = state.output.indicators
        indicators.update({name: without_marks(text) for name, text in indicators.items()})
        sections = Sections(state.output.sections, outline, state.headings.text_offset)
        _number(outline, ranges.within, sections, captions)
        captions.describe()
        sections.join(ranges.calls, sources)
        if not state.options.for_view:
            for place in outline.headings():
                outline.unwrap(place)
        return sections.html()


def _number(
    outline: Outline, calls: Mapping[int, int], sections: Sections, captions: Captions
) -> None:
    """Begin the sections of a document, and add ids to its elements.

    ``calls`` are the ends of elements that come from calls; elements within them get no ids. Those
    in the ``captions`` of pictures get theirs before the pictures. Those that are not in the page's
    source but added around it get the last ids: what is added as such, with all that is in it
    except for the headings that are wrapped.
    """
    tags, ends = outline.tags, outline.ends
    ids = ElementIds()
    sections.lead.id = ids.take()
    headings = outline.headings()
    contents = [place for place in outline.divisions if outline.attribute(place, "id") == "toc"]
    blocks = list(outline.blocks()) if contents else []
    blocks_with_contents = {blocks[bisect_right(blocks, place) - 1] for place in contents}
    begun = sections.begin(headings)
    for place, heading in headings.items():
        if all(map(outline.is_nothing, range(heading + 1, ends[heading] + 1))):
            # Nothing is added to a heading without content: no id, edit link or wrapper.
            outline.unset(heading, "id")
            link = ends[heading] + 1
            if link <= ends[place]:
                outline.remove_element(link)
            outline.unwrap(place)
    elements = [
        place
        for place, tag in enumerate(tags)
        if (place and tag not in NO_ELEMENTS) or place in begun
    ]
    added = {place for place in headings if tags[place] not in NO_ELEMENTS}
    for place in contents:
        added.update(range(place, ends[place] + 1))
    for place, heading in headings.items():
        added.update(range(ends[heading] + 1, ends[place] + 1))
    special = added.union(begun, blocks_with_contents, calls, captions)

    def written() -> Iterator[int]:
        """Yield the elements that come from the source; sections that they begin get ids first."""
        hidden_to = 0
        for place in elements:
            if place not in special:
                if place > hidden_to:
                    yield place
                continue
            if place in blocks_with_contents:
                ids.skip()
            if place in begun:
                begun[place].id = ids.take()
            if place > hidden_to and place not in added and tags[place] not in NO_ELEMENTS:
                if place in captions:
                    captions.identify(place, iter(ids))
                yield place
            if place in calls:
                hidden_to = max(hidden_to, calls[place])

    outline.identify(written(), iter(ids))
    outline.identify((place for place in elements if place in added), ids.remaining())


# Elements of the page's source are numbered first, in document order. Added elements then get the
# remaining numbers.

_BITS = 8


@lru_cache(maxsize=4096)
def element_id(serial: int) -> str:
    """Return the id for a serial number, from 0 on."""
    length = max(1, -(-serial.bit_length() // _BITS))
    return "mw" + urlsafe_b64encode(serial.to_bytes(length)).decode().rstrip("=")


class ElementIds:
    """The ids of one document, in their order. Number 0 is that of the body, which is not output.

    Iterating yields the ids of elements of the source. Then :meth:`remaining` has those of others.
    """

    def __init__(self) -> None:
        """Begin with the number of the first element."""
        self._serials = count(1)
        self._ids = map(element_id, self._serials)
        self._skipped = [element_id(0)]

    def __iter__(self) -> Iterator[str]:
        """Return an iterator over the ids that are not taken yet."""
        return self._ids

    def take(self) -> str:
        """Return the id of the next element of the source."""
        return next(self._ids)

    def skip(self) -> None:
        """Skip the number for a block with the contents; it is left for an added element."""
        self._skipped.append(next(self._ids))

    def remaining(self) -> Iterator[str]:
        """Return the ids for added elements; called after all elements of the source have ids."""
        return chain(self._skipped, self._ids)
