"""``list=iwbacklinks``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from wikiapi.api.params.declaration import continuation, enum, limit, sort_direction, string
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import stored_title
from wikiapi.store import bounds
from wikiapi.store.models import IwLinks, Page
from wikiapi.store.pages import PAGE_COLUMNS, PageRow
from wikiapi_plugins.query.external.iwlinks import require_place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.statements import Row


# The answer goes by place, title and linking page.

_WHERE, _TITLE = range(2)
_MORE = 2


class ForeignBacklinks(ListModule):
    """Base of the family.

    Attributes:
        columns: those of what stands before the colon, of the title, and of the linking page.
        where_param: the parameter that picks out links by the first.
        shown: what values of ``prop`` show, as positions among the columns.
    """

    columns: ClassVar[tuple[Any, Any, Any]]
    where_param: ClassVar[str]
    shown: ClassVar[Mapping[str, int]]

    def execute(self) -> None:
        """List the linking pages."""
        rows = self._found()
        self.result.list(("query", self.name), self.element)
        self.list_rows(rows, self.p["limit"], _position, self._item)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the linking pages."""

        def add(row: Row) -> bool:
            pages.rows.append(_page(row))
            return True

        self.page_through(self._found(), self.p["limit"], _position, add)

    def _found(self) -> list[Row]:
        require_place(self, self.where_param)
        descending = self.p["dir"] == "descending"
        where, title, source = self.columns
        conditions = []
        if self.p[self.where_param] is not None:
            conditions.append(where == self.p[self.where_param])
            if self.p["title"] is not None:
                conditions.append(title == self.p["title"])
        if parts := self.continue_parts(3):
            values = [*parts[:2], self.continue_int(parts[2])]
            conditions.append(bounds.starting_at(self.columns, values, descending=descending))
        query: Any = where.model.select(where, title, *PAGE_COLUMNS).join(
            Page, on=(Page.page_id == source)
        )
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *self.columns, descending=descending)
        return self.rows(query.limit(self.p["limit"] + 1))

    def _item(self, row: Row) -> dict[str, Any]:
        page = _page(row)
        item: dict[str, Any] = {"pageid": page.page_id}
        item |= stored_title(self.site, page.namespace, page.title)
        if page.is_redirect:
            item["redirect"] = True
        item |= {name: row[place] for name, place in self.shown.items() if name in self.p["prop"]}
        return item


def _page(row: Row) -> PageRow:
    return PageRow(*row[_MORE:])


def _position(row: Row) -> str:
    return f"{row[_WHERE]}|{row[_TITLE]}|{_page(row).page_id}"


class IwBacklinks(ForeignBacklinks):
    """Find all pages that link to the given interwiki link."""

    name = "iwbacklinks"
    prefix = "iwbl"
    element = "iw"
    columns = (IwLinks.iwl_prefix, IwLinks.iwl_title, IwLinks.iwl_from)
    where_param = "prefix"
    shown = {"iwprefix": 0, "iwtitle": 1}  # noqa: RUF012
    params = (
        string("prefix", "Only links with this prefix."),
        string("title", "Only links to this title; needs a prefix."),
        continuation(),
        limit(),
        enum("prop", "iwprefix", "iwtitle", multi=True, default="",
             help="What to tell beside the linking page.",
             value_help=(("iwprefix", "The prefix."), ("iwtitle", "The title."))),
        sort_direction(),
    )  # fmt: skip
    examples = (
        ("action=query&list=iwbacklinks&iwbltitle=Test&iwblprefix=wikibooks", "Who links there"),
        ("action=query&generator=iwbacklinks&giwbltitle=Test&giwblprefix=wikibooks&prop=info",
         "Facts about them"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Iwbacklinks",)
