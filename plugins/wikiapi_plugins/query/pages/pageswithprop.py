"""``list=pageswithprop``."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Obj,
    continuation,
    enum,
    limit,
    sort_direction,
    stored_title,
    string,
)
from wikiapi.store import PageRow, bounds
from wikiapi.store.models import Page, PageProps
from wikiapi.store.queries import PAGE_COLUMNS


class PageValue(NamedTuple):
    """A page, and the value of its property."""

    value: str
    page: PageRow


class PagesWithProp(ListModule):
    """List the pages that have a property."""

    name = "pageswithprop"
    prefix = "pwp"
    element = "page"
    params = (
        string("propname", "The property; list=pagepropnames lists them.",
               required=True),
        enum("prop", "ids", "title", "value", multi=True, default="ids|title",
             help="Properties to include.",
             value_help=(("ids", "The page's id."), ("title", "Its namespace and title."),
                         ("value", "The value of the property."))),
        continuation(),
        limit(),
        sort_direction(),
    )  # fmt: skip
    examples = (
        ("action=query&list=pageswithprop&pwppropname=displaytitle&pwpprop=ids|title|value",
         "Pages with a display title"),
        ("action=query&generator=pageswithprop&gpwppropname=notoc&prop=info",
         "Facts about pages without a table of contents"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Pageswithprop",)

    def execute(self) -> None:
        """List the pages."""
        rows, props = self._rows(), self.p.texts("prop")
        items = []
        for value, page in rows:
            item = Obj({"pageid": page.page_id} if "ids" in props else {})
            if "title" in props:
                item |= stored_title(self.site, page.namespace, page.title)
            if "value" in props:
                item["value"] = value
            items.append(item)
        self.emit(items, rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages."""
        pages.rows += [row.page for row in self.within_limit(self._rows(), _continue_value)]

    def _rows(self) -> list[PageValue]:
        descending = self.p.text("dir") == "descending"
        conditions = [PageProps.pp_propname == self.p.text("propname")]
        if parts := self.continue_parts(1):
            first = self.continue_int(parts[0])
            conditions.append(
                bounds.starting_at([PageProps.pp_page], [first], descending=descending)
            )
        query = PageProps.select(PageProps.pp_value, *PAGE_COLUMNS).join(
            Page, on=(Page.page_id == PageProps.pp_page)
        )
        query = bounds.ordered(query.where(*conditions), PageProps.pp_page, descending=descending)
        rows = self.rows(query.limit(self.p.number("limit") + 1))
        return [PageValue(value, PageRow(*page)) for value, *page in rows]


def _continue_value(row: PageValue) -> str:
    return str(row.page.page_id)
