"""``list=allcategories``."""

from __future__ import annotations

from operator import attrgetter

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Obj,
    continuation,
    enum,
    integer,
    limit,
    sort_direction,
    string,
)
from wikiapi.store import CategoryRow, bounds
from wikiapi.store.models import Category
from wikiapi.store.queries import categories
from wikiapi.title import CATEGORY
from wikiapi_plugins.query.categories.categoryinfo import counts
from wikiapi_plugins.query.titlepart import title_conditions

_continue_value = attrgetter("title")


class AllCategories(ListModule):
    """Enumerate all categories, including those without a page."""

    name = "allcategories"
    prefix = "ac"
    element = "c"
    params = (
        string("from", "The category to begin with."),
        continuation(),
        string("to", "The category to end with."),
        string("prefix", "Categories whose name begins with this text."),
        sort_direction(),
        integer("min", "Only categories with at least this many members."),
        integer("max", "Only categories with at most this many members."),
        limit(),
        enum("prop", "size", "hidden", multi=True, default="",
             help="Properties to include besides the name.",
             value_help=(("size", "The number of members."),
                         ("hidden", "Whether the category is hidden by __HIDDENCAT__."))),
    )  # fmt: skip
    examples = (
        ("action=query&list=allcategories&acprop=size", "Categories with their sizes"),
        ("action=query&generator=allcategories&gacprefix=List&prop=info",
         "Facts about the pages of some categories"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allcategories",)

    def execute(self) -> None:
        """List the categories."""
        rows, prop = self._rows(), self.p.texts("prop")
        items = [Obj({"category": row.title.replace("_", " ")}, content="category") for row in rows]
        if "size" in prop:
            for item, row in zip(items, rows, strict=True):
                item |= counts(row)
        if "hidden" in prop:
            hidden = categories.hidden(self.db, [row.title for row in rows])
            for item, row in zip(items, rows, strict=True):
                item["hidden"] = row.title in hidden
        self.emit(items, rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the categories' pages."""
        rows = self.within_limit(self._rows(), _continue_value)
        pages.titles += [self.site.titles.make(CATEGORY, row.title) for row in rows]

    def _rows(self) -> list[CategoryRow]:
        descending, title = self.p.text("dir") == "descending", Category.cat_title
        conditions = title_conditions(self, title, CATEGORY, descending=descending)
        conditions += bounds.between(
            Category.cat_pages, self.p.number_or_none("min"), self.p.number_or_none("max")
        )
        if parts := self.continue_parts(1):
            conditions.append(bounds.starting_at([title], parts, descending=descending))
        query = Category.select(*categories.CATEGORY_COLUMNS)
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, title, descending=descending)
        return [CategoryRow(*row) for row in self.rows(query.limit(self.p.number("limit") + 1))]
