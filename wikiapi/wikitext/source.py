"""Sections, found in a page's source without rendering it."""

from __future__ import annotations

import re

from wikiapi.texts import TRIMMED
from wikiapi.wikitext.preprocess.nodes import Heading
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

_NUMBER = re.compile(r"(T-)?([0-9]{1,9})\Z", re.ASCII)


def section_text(text: str, section: str, preprocessor: Preprocessor) -> str | None:
    """Return the source of a section with its subsections; ``None`` if there is no such section.

    Args:
        text: the page's source.
        section: the number of a heading; ``0`` for the text before the first. ``T-1`` and so on
            count only the headings that the page has when it is transcluded.
        preprocessor: finds the headings.
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
            after = headings[position + 1 :]
            end = next((other.offset for other in after if other.level <= heading.level), len(text))
            return text[heading.offset : end].rstrip(TRIMMED)
    return None
