"""Sections of a text: replacing one, and adding one."""

from __future__ import annotations

import re

from wikiapi.wikitext import Parser
from wikiapi.wikitext.preprocess.nodes import Heading

NEW = "new"
_NUMBER = re.compile(r"(T-)?([0-9]{1,9})\Z", re.ASCII)

_INTERNAL_LINK = re.compile(r"\[\[:?+(?:[^\[\]|]*+\|)?([^\[\]|]++)\]\]")
_EXTERNAL_LINK = re.compile(r"\[[^\s\[\]]++ ([^\[\]]++)\]")
_MARKUP = re.compile(r"'{2,5}|<[^<>]*+>")


def plain_heading(heading: str) -> str:
    """Return a heading as it is written in a link to its section: without markup and tags."""
    text = _INTERNAL_LINK.sub(r"\1", heading)
    text = _EXTERNAL_LINK.sub(r"\1", text)
    return _MARKUP.sub("", text)


def is_section_id(section: str) -> bool:
    """Return whether a text can be the id of a section: empty, ``new``, ``1`` or ``T-1``."""
    return section in ("", NEW) or _NUMBER.match(section) is not None


def replace_section(parser: Parser, text: str, section: str, new: str) -> str | None:
    """Return a text with a section replaced; ``None`` if there is no such section.

    A section includes its subsections.
    """
    match = _NUMBER.match(section)
    if match is None:
        return None
    tree = parser.preprocessor.tree(text, inclusion=bool(match[1]))
    headings = [node for node in tree if isinstance(node, Heading)]
    number = int(match[2])
    if number == 0:
        start, end = 0, headings[0].offset if headings else len(text)
    else:
        found = next((i for i, node in enumerate(headings) if node.index == number), None)
        if found is None:
            return None
        first, rest = headings[found], headings[found + 1 :]
        start = first.offset
        end = next((node.offset for node in rest if node.level <= first.level), len(text))
    after = text[end:]
    new = new.rstrip()
    # Without a new text, the section is removed.
    return text[:start] + (f"{new}\n\n{after}" if new and after else new or after)


def add_section(text: str, heading: str, new: str) -> str:
    """Return a text with a section appended; an empty heading is omitted."""
    section = f"== {heading} ==\n\n{new}" if heading else new
    return f"{text.rstrip()}\n\n{section}" if text.strip() else section
