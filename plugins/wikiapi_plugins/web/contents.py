"""The table of contents of a page, for templates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from markupsafe import Markup

from wikiapi.wiki import Wiki
from wikiapi.wikitext import Section, sections_in_toc


@dataclass(slots=True)
class Entry:
    """An entry of the table of contents; ``line`` is HTML, ``anchor`` is escaped for links."""

    line: Markup
    number: str
    anchor: str
    below: list[Entry] = field(default_factory=list)


def table_of_contents(sections: Iterable[Section], site: Wiki) -> list[Entry]:
    """Return the entries of the top level, with their sub-entries in ``below``."""
    top: list[Entry] = []
    open_entries: list[tuple[int, Entry]] = []
    for section in sections_in_toc(sections, site):
        line = Markup(section.line)  # noqa: S704
        entry = Entry(line, section.number, section.link_anchor)
        while open_entries and open_entries[-1][0] >= section.toc_level:
            open_entries.pop()
        (open_entries[-1][1].below if open_entries else top).append(entry)
        open_entries.append((section.toc_level, entry))
    return top
