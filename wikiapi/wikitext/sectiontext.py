"""A part of a page's source, by section number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.preprocess.nodes import Heading

if TYPE_CHECKING:
    from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

_NUMBER = re.compile(r"(T-)?([0-9]{1,6})\Z", re.ASCII)


def section_text(text: str, section: str, preprocessor: Preprocessor) -> str | None:
    """The source of a section with its sub-sections; ``None`` if there is no such section.

    ``0`` is what stands before the first heading, ``T-N`` counts as in a transcluded page.
    """
    match = _NUMBER.match(section)
    if match is None:
        return None
    tree = preprocessor.tree(text, inclusion=bool(match[1]))
    headings = [node for node in tree if isinstance(node, Heading)]
    number = int(match[2])
    if not number:
        return text[: headings[0].offset].rstrip() if headings else text
    for position, heading in enumerate(headings):
        if heading.index == number:
            return _span(text, headings[position:])
    return None


def _span(text: str, headings: list[Heading]) -> str:
    first, *rest = headings
    end = next((other.offset for other in rest if other.level <= first.level), len(text))
    return text[first.offset : end].rstrip()
