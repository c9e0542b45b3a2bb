"""``list=pageswithprop``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import continuation, enum, limit, sort_direction, string
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import stored_title
from wikiapi.api.result import Obj
from wikiapi.store import bounds
from wikiapi.store.models import Page, PageProps
from wikiapi.store.pages import PAGE_COLUMNS, PageRow

if TYPE_CHECKING:
    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.statements import Row


class PagesWithProp(ListModule):
    """List all pages using a given page property."""

    name = "pageswithprop"
    prefix = "pwp"
    element = "page"
    params = (
        string("propname", "The property; list=pagepropnames tells which there are.",
               required=True),
        enum("prop", "ids", "title", "value", multi=True, default="ids|title",
             help="What to tell.",
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
         "Facts about pages without table of contents"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Pageswithprop",)

    def execute(self) -> None:
        """List the pages."""
        rows = self._found()
        self.result.list(("query", self.name), self.element)
        self.page_through(
            rows,
            self.p["limit"],
            lambda row: str(row[1]),
            lambda row: self.add_item(self._item(row)),
        )

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages."""

        def add(row: Row) -> bool:
            pages.rows.append(PageRow(*row[1:]))
            return True

        self.page_through(self._found(), self.p["limit"], lambda row: str(row[1]), add)

    def _found(self) -> list[Row]:
        descending = self.p["dir"] == "descending"
        conditions = [PageProps.pp_propname == self.p["propname"]]
        if parts := self.continue_parts(1):
            first = self.continue_int(parts[0])
            conditions.append(
                bounds.starting_at([PageProps.pp_page], [first], descending=descending)
            )
        query = PageProps.select(PageProps.pp_value, *PAGE_COLUMNS).join(
            Page, on=(Page.page_id == PageProps.pp_page)
        )
        query = bounds.ordered(query.where(*conditions), PageProps.pp_page, descending=descending)
        return self.rows(query.limit(self.p["limit"] + 1))

    def _item(self, row: Row) -> Obj:
        value, page, item = row[0], PageRow(*row[1:]), Obj()
        if "ids" in self.p["prop"]:
            item["pageid"] = page.page_id
        if "title" in self.p["prop"]:
            item |= stored_title(self.site, page.namespace, page.title)
        if "value" in self.p["prop"]:
            item["value"] = value
        return item
