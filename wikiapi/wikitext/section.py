"""One section out of a page's source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.preprocess.nodes import Heading

if TYPE_CHECKING:
    from wikiapi.wikitext.preprocess.nodes import Content

_NUMBER = re.compile(r"(?:T-)?([0-9]{1,9})\Z", re.ASCII)


def section_text(text: str, tree: Content, section: str) -> str | None:
    """The source of a section with the sections below it, None if there is no such section.

    Args:
        text: the page's source.
        tree: its tree, from the preprocessor.
        section: ``0`` for what stands before the first heading, else the heading's number.
    """
    match = _NUMBER.match(section)
    if match is None:
        return None
    number = int(match[1])
    headings = [node for node in tree if isinstance(node, Heading)]
    if number == 0:
        return text[: headings[0].offset if headings else None].rstrip()
    for place, heading in enumerate(headings):
        if heading.index == number:
            ends = (h.offset for h in headings[place + 1 :] if h.level <= heading.level)
            return text[heading.offset : next(ends, None)].rstrip()
    return None
