"""``list=querypage``."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import enum, integer, limit
from wikiapi.api.params.types.timestamp import iso_all
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import stored_titles
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message
from wikiapi_plugins.query.search.filereports import FILES_AND_REDIRECTS
from wikiapi_plugins.query.search.pagereports import COUNTS, PAGE_LISTS
from wikiapi_plugins.query.search.reports import query_of

if TYPE_CHECKING:
    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.statements import Row
    from wikiapi_plugins.query.search.reports import QueryPage as SpecialPage

_SPECIAL_PAGES = MappingProxyType(
    {page.name: page for page in (*PAGE_LISTS, *COUNTS, *FILES_AND_REDIRECTS)}
)


class QueryPage(ListModule):
    """Get a list provided by a special page for maintenance."""

    name = "querypage"
    prefix = "qp"
    element = "page"
    params = (
        enum("page", *sorted(_SPECIAL_PAGES), required=True, help="The special page."),
        integer("offset", "Where to go on.", default="0"),
        limit(),
    )
    examples = (("action=query&list=querypage&qppage=Ancientpages", "The oldest pages"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Querypage",)

    def execute(self) -> None:
        """List what the special page lists."""
        page, rows = self._found()
        self.result.set(("query", self.name), "name", page.name)
        self.result.list(self.list_path, self.element)
        self.list_items(rows, self.p["limit"], self._next, self._items(page, rows))

    @property
    def list_path(self) -> tuple[str, ...]:
        """Beside the list stands the name of the special page."""
        return (*super().list_path, "results")

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages it lists."""

        def add(row: Row) -> bool:
            pages.titles.append(self.site.titles.make(row[0], row[1]))
            return True

        self.page_through(self._found()[1], self.p["limit"], self._next, add)

    def set_continue(self, value: Any, param: str = "offset") -> None:
        """Results are counted from the first."""
        super().set_continue(value, param)

    def _next(self, _: Row) -> int:
        return int(self.p["offset"] + self.p["limit"])

    def _found(self) -> tuple[SpecialPage, list[Row]]:
        page = _SPECIAL_PAGES[self.p["page"]]
        if page.right and not self.context.user.can(page.right):
            raise ApiError(Message("apierror-specialpage-cantexecute"), "specialpage-cantexecute")
        query = query_of(page, self.site).limit(self.p["limit"] + 1)
        rows = self.rows(query.offset(max(0, self.p["offset"])))
        return page, rows if page.read is None else list(map(page.read, rows))

    def _items(self, page: SpecialPage, rows: list[Row]) -> list[dict[str, Any]]:
        titles = stored_titles(self.site, [row[0] for row in rows], [row[1] for row in rows])
        if page.is_moment:
            return _dated(rows, titles)
        if page.has_value:
            return [
                {"value": str(row[2]), "ns": row[0], "title": title}
                for row, title in zip(rows, titles, strict=True)
            ]
        items = [{"ns": row[0], "title": title} for row, title in zip(rows, titles, strict=True)]
        return _detailed(items, rows, page.more) if page.more else items


def _dated(rows: list[Row], titles: list[str]) -> list[dict[str, Any]]:
    moments = [str(row[2]) for row in rows]
    return [
        {"value": moment, "timestamp": shown, "ns": row[0], "title": title}
        for row, moment, shown, title in zip(rows, moments, iso_all(moments), titles, strict=True)
    ]


def _detailed(
    items: list[dict[str, Any]], rows: list[Row], names: tuple[str, ...]
) -> list[dict[str, Any]]:
    """The items with all that the query found; numbers are texts there."""
    for item, row in zip(items, rows, strict=True):
        values = [None if value is None else str(value) for value in row[2:]]
        item["databaseResult"] = dict(zip(names, values, strict=True))
    return items
