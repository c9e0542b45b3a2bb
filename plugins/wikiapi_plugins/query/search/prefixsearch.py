"""``list=prefixsearch``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Obj,
    integer,
    limit,
    namespace,
    string,
    title_data,
)
from wikiapi.search import prefix_search
from wikiapi.store import PageRow
from wikiapi.title import Title


class PrefixSearch(ListModule):
    """Search for pages whose titles begin with a text."""

    name = "prefixsearch"
    prefix = "ps"
    element = "ps"
    params = (
        string("search", "The beginning of a title.", required=True),
        namespace(help="Search these namespaces, unless the text begins with another one.",
                  multi=True, default="0"),
        limit(),
        integer("offset", "The position of the first result, from 0.", minimum=0, default=0),
    )  # fmt: skip
    examples = (
        ("action=query&list=prefixsearch&pssearch=meaning", "Titles that begin with meaning"),
        ("action=query&generator=prefixsearch&gpssearch=meaning&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Prefixsearch",)

    def execute(self) -> None:
        """List the titles."""
        matches = self._matches()
        items = []
        for title, row in matches[: self.limit]:
            more = {"special": True} if row is None else {"pageid": row.page_id}
            items.append(Obj(title_data(title) | more))
        self.emit(items, range(len(matches)), self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages, each with its position among the results."""
        matches = self._matches()
        self.within_limit(range(len(matches)), self._continue_value)
        first = self.p.number("offset") + 1
        for place, (title, _) in enumerate(matches[: self.limit], first):
            pages.titles.append(title)
            pages.data[title.key] = {"index": place}

    def set_continue(self, value: Any, param: str = "offset") -> None:
        """Continue at an offset, which is counted from the first result."""
        super().set_continue(value, param)

    def _continue_value(self, position: int) -> int:
        return self.p.number("offset") + position

    def _matches(self) -> list[tuple[Title, PageRow | None]]:
        p = self.p
        return prefix_search(
            self.site,
            p.text("search"),
            p.numbers("namespace"),
            p.number("limit") + 1,
            p.number("offset"),
        )
