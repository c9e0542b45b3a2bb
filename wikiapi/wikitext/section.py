"""Sections of a page's source."""

from __future__ import annotations

import re

from wikiapi.wikitext.preprocess.nodes import Heading
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor
from wikiapi.wikitext.whitespace import TRIMMED

_NUMBER = re.compile(r"(T-)?([0-9]{1,9})\Z", re.ASCII)


def section_text(text: str, section: str, preprocessor: Preprocessor) -> str | None:
    """Return the source of a section with its subsections; ``None`` if there is no such section.

    Args:
        text: the page's source.
        section: the number of a heading; ``0`` for what stands before the first. ``T-1`` and so on
            count the headings that the page has where it is transcluded.
        preprocessor: makes the tree whose headings count.
    """
    match = _NUMBER.match(section)
    if match is None:
        return None
    tree = preprocessor.tree(text, inclusion=bool(match[1]))
    headings = [node for node in tree if isinstance(node, Heading)]
    number = int(match[2])
    if not number:
        return text[: headings[0].offset if headings else None].rstrip(TRIMMED)
    for position, heading in enumerate(headings):
        if heading.index == number:
            return _span(text, headings[position:])
    return None


def _span(text: str, headings: list[Heading]) -> str:
    first, *rest = headings
    end = next((other.offset for other in rest if other.level <= first.level), len(text))
    return text[first.offset : end].rstrip(TRIMMED)
