"""A complete plugin: ``prop=headings`` lists the headings of pages."""

from __future__ import annotations

import re

from wikiapi.api import PropModule, continuation, integer, limit
from wikiapi.hookspecs import hookimpl
from wikiapi.store.queries import texts

HEADING = re.compile(r"^(={1,6})(.+?)\1[ \t]*$", re.MULTILINE)


class Headings(PropModule):
    """List the headings of the pages."""

    name, prefix, element = "headings", "hd", "hd"
    params = (integer("depth", "Headings to this level.", default=6), limit(), continuation())
    examples = (("action=query&prop=headings&titles=Main Page", "Headings of the main page"),)

    def execute(self) -> None:
        """Add the headings of each page, whose texts are read with one query."""
        start = tuple(map(self.continue_int, self.continue_parts(2) or ("0", "0")))
        pages = {page_id: t.key for page_id, t in self.page_set.existing() if page_id >= start[0]}
        stored = texts.current(self.db, pages.values())
        rows = [
            (page_id, number, text.strip())
            for page_id, key in sorted(pages.items())
            for number, (level, text) in enumerate(HEADING.findall(stored[key].text or ""))
            if len(level) <= self.p.number("depth") and (page_id, number) >= start
        ]
        items = ((page_id, heading) for page_id, _, heading in rows)
        self.emit(items, rows, "{0[0]}|{0[1]}".format)


@hookimpl
def register_query_modules() -> list[type[PropModule]]:
    """Return the modules of the plugin."""
    return [Headings]
