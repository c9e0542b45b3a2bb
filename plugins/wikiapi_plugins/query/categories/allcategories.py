"""``list=allcategories``."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import (
    continuation,
    enum,
    integer,
    limit,
    sort_direction,
    string,
)
from wikiapi.api.query.module import ListModule
from wikiapi.api.result import Obj
from wikiapi.store import bounds, categories
from wikiapi.store.categories import CATEGORY_COLUMNS, CategoryRow
from wikiapi.store.models import Category
from wikiapi.store.refining import refinable
from wikiapi.title.namespaces import CATEGORY
from wikiapi_plugins.query.categories.categoryinfo import counts
from wikiapi_plugins.query.titlepart import title_part

if TYPE_CHECKING:
    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.statements import Row

_TITLE = 1
"""Where the column is in ``CATEGORY_COLUMNS``."""


class AllCategories(ListModule):
    """Enumerate all categories, those without a page too."""

    name = "allcategories"
    prefix = "ac"
    element = "c"
    params = (
        string("from", "The category to begin with."),
        continuation(),
        string("to", "The category to end with."),
        string("prefix", "Categories whose name begins with this text."),
        sort_direction(),
        integer("min", "Only categories with at least so many members."),
        integer("max", "Only categories with at most so many members."),
        limit(),
        enum("prop", "size", "hidden", multi=True, default="",
             help="What to tell beside the name.",
             value_help=(("size", "The number of members."),
                         ("hidden", "Whether the category is hidden by __HIDDENCAT__."))),
    )  # fmt: skip
    examples = (
        ("action=query&list=allcategories&acprop=size", "Categories with their sizes"),
        ("action=query&generator=allcategories&gacprefix=List&prop=info",
         "Facts about the pages of some"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allcategories",)

    def execute(self) -> None:
        """List the categories."""
        rows = self._found()
        self.result.list(("query", self.name), self.element)
        self.list_items(rows, self.p["limit"], itemgetter(_TITLE), self._items(rows))

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the categories' pages."""

        def add(row: Row) -> bool:
            pages.titles.append(self.site.titles.make(CATEGORY, row[_TITLE]))
            return True

        self.page_through(self._found(), self.p["limit"], itemgetter(_TITLE), add)

    def _items(self, rows: list[Row]) -> list[Obj]:
        items = [
            Obj({"category": row[_TITLE].replace("_", " ")}, content="category") for row in rows
        ]
        if "size" in self.p["prop"]:
            for item, row in zip(items, rows, strict=True):
                item |= counts(CategoryRow(*row))
        if "hidden" in self.p["prop"]:
            titles = [row[_TITLE] for row in rows]
            hidden = categories.hidden(self.db, titles)
            for item, title in zip(items, titles, strict=True):
                item["hidden"] = title in hidden
        return items

    def _found(self) -> list[Row]:
        descending, title = self.p["dir"] == "descending", Category.cat_title
        ends = (self._part(self.p["from"]), self._part(self.p["to"]))
        conditions = bounds.between(title, *ends, descending=descending)
        conditions += bounds.with_prefix(title, self._part(self.p["prefix"]) or "")
        conditions += bounds.between(Category.cat_pages, self.p["min"], self.p["max"])
        if parts := self.continue_parts(1):
            conditions.append(bounds.starting_at([title], parts, descending=descending))
        query = _listed()
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, title, descending=descending)
        return self.rows(query.limit(self.p["limit"] + 1))

    def _part(self, text: str | None) -> str | None:
        return None if text is None else title_part(self.site, text, CATEGORY)


@refinable
def _listed() -> Any:
    return Category.select(*CATEGORY_COLUMNS)
