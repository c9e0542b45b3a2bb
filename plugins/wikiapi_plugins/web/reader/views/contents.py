"""The table of contents: headings as a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.wikitext.output import Section


@dataclass(slots=True)
class Entry:
    """A heading; ``line`` is HTML, ``anchor`` as a link has it."""

    line: Markup
    number: str
    anchor: str
    below: list[Entry] = field(default_factory=list)


def contents_of(sections: Iterable[Section]) -> list[Entry]:
    """The headings of the first level, each with those below it."""
    top: list[Entry] = []
    open_entries: list[tuple[int, Entry]] = []
    for section in sections:
        line = Markup(section.line)  # noqa: S704
        entry = Entry(line, section.number, section.link_anchor)
        while open_entries and open_entries[-1][0] >= section.toc_level:
            open_entries.pop()
        (open_entries[-1][1].below if open_entries else top).append(entry)
        open_entries.append((section.toc_level, entry))
    return top
