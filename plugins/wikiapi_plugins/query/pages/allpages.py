"""``list=allpages``."""

from __future__ import annotations

from typing import Any

from peewee import fn

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    compact,
    continuation,
    enum,
    integer,
    limit,
    namespace,
    sort_direction,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY
from wikiapi.store import PageRow, Row, bounds
from wikiapi.store.models import LangLinks, Page, PageRestrictions
from wikiapi.store.queries import SELECT_PAGES, rarity
from wikiapi_plugins.query.pages.pagefilter import PageFilter
from wikiapi_plugins.query.titlepart import title_part

_SELECT_TITLES = Page.select(Page.page_id, Page.page_namespace, Page.page_title)


class AllPages(ListModule):
    """List the pages of a namespace by title."""

    name = "allpages"
    prefix = "ap"
    element = "p"
    params = (
        string("from", "The title to begin the list with."),
        continuation(),
        string("to", "The title to end the list with."),
        string("prefix", "List pages whose title begins with this text."),
        namespace(help="The namespace to list.", default="0"),
        enum("filterredir", "all", "nonredirects", "redirects", default="all",
             help="Whether to list all pages, only redirects, or only other pages."),
        integer("minsize", "Only pages with at least this many bytes."),
        integer("maxsize", "Only pages with at most this many bytes."),
        enum("prtype", "edit", "move", "upload", multi=True,
             help="Only pages protected against these actions."),
        enum("prlevel", "", "autoconfirmed", "sysop", multi=True,
             help="Only protection of these levels; needs prtype."),
        enum("prfiltercascade", "all", "cascading", "noncascading", default="all",
             help="Only protection that cascades, or only protection that does not; needs prtype."),
        limit(),
        sort_direction(),
        enum("filterlanglinks", "all", "withlanglinks", "withoutlanglinks", default="all",
             help="Only pages with language links, or only pages without."),
        enum("prexpiry", "all", "definite", "indefinite", default="all",
             help="Only protection that expires, or only protection that does not."),
    )  # fmt: skip
    examples = (
        ("action=query&list=allpages&apfrom=B", "Pages from B on"),
        ("action=query&generator=allpages&gaplimit=4&gapfrom=T&prop=info", "Facts about four"),
        (("action=query&generator=allpages&gaplimit=2&gapfilterredir=nonredirects&gapfrom=Re"
         "&prop=revisions&rvprop=content&rvslots=main"), "The content of two pages"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allpages",)

    def execute(self) -> None:
        """List the pages."""
        rows = self._found(_SELECT_TITLES)
        self.emit(self._items(rows), rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages."""
        if self.query.follows_redirects:
            raise ApiError("params", "apierror-allpages-generator-redirects")
        rows = self.within_limit(self._found(SELECT_PAGES), _continue_value)
        pages.rows += [PageRow(*row) for row in rows]

    def _items(self, rows: list[Row]) -> list[dict[str, Any]]:
        namespace = self.p.number("namespace")
        prefixed = self.site.titles.prefixed
        return [
            {"pageid": page_id, "ns": namespace, "title": prefixed(namespace, dbkey)}
            for page_id, _, dbkey in rows
        ]

    def _found(self, query: Any) -> list[Row]:
        descending = self.p.text("dir") == "descending"
        namespace, order = self.p.number("namespace"), [Page.page_title]
        walk = self._range(descending=descending)
        pages = PageFilter.of(self, (namespace,), self.p.text("filterredir"))
        filters = [*self._protection(), *self._language_links()]
        gathered = self._gathered(pages)
        if gathered is not None or pages.has_kind_or_size:
            filters += pages.conditions()
        if gathered is not None:
            query = query.where(gathered, *walk, *filters)
        else:
            walk.append(Page.page_namespace == namespace)
            query = query.where(*walk, *filters)
            if self._has_filters(pages):
                places = Page.select(*order).where(*walk)
                query = self.bounded(query, places, order, descending=descending)
        query = bounds.ordered(query, *order, descending=descending)
        return self.rows(query.limit(self.p.number("limit") + 1))

    def _has_filters(self, pages: PageFilter) -> bool:
        has_language_filter = self.p.text("filterlanglinks") != "all"
        return pages.has_kind_or_size or has_language_filter or self._is_about_protection()

    def _gathered(self, pages: PageFilter) -> Any | None:
        """Return the condition of a filter that few pages match, if there is such a filter."""
        found = pages.gathered(self.db) if pages.has_kind_or_size else None
        if found is None and self.p.texts("prtype"):
            table = PageRestrictions
            protected = table.select(table.pr_page)
            protected = protected.where(table.pr_type.in_(self.p.texts("prtype")))
            found = Page.page_id.in_(protected) if rarity.is_rare(self.db, protected) else None
        return found

    def _range(self, *, descending: bool) -> list[Any]:
        title, conditions = Page.page_title, []
        if parts := self.continue_parts(1):
            conditions.append(bounds.starting_at([title], parts, descending=descending))
        ends = (self._part(self.p.text_or_none("from")), self._part(self.p.text_or_none("to")))
        conditions += bounds.between(title, *ends, descending=descending)
        return conditions + bounds.with_prefix(
            title, self._part(self.p.text_or_none("prefix")) or ""
        )

    def _part(self, text: str | None) -> str | None:
        return None if text is None else title_part(self.site, text, self.p.number("namespace"))

    def _is_about_protection(self) -> bool:
        return bool(self.p.texts("prtype")) or self.p.text("prexpiry") != "all"

    def _protection(self) -> list[Any]:
        if not self._is_about_protection():
            if self.p.is_given("prlevel"):
                key = "apierror-invalidparammix-mustusewith"
                raise ApiError("invalidparammix", key, "prlevel", "prtype")
            return []
        restricted = PageRestrictions.select(PageRestrictions.pr_id).where(
            PageRestrictions.pr_page == Page.page_id, *self._restrictions()
        )
        return [fn.EXISTS(restricted)]

    def _restrictions(self) -> list[Any]:
        table = PageRestrictions
        unending = table.pr_expiry.is_null() | (table.pr_expiry == INFINITY)
        conditions = [unending | (table.pr_expiry > compact(self.context.now))]
        match self.p.text("prexpiry"):
            case "indefinite":
                conditions.append(unending)
            case "definite":
                conditions.append(~unending)
        if not self.p.texts("prtype"):
            return conditions
        conditions.append(table.pr_type.in_(self.p.texts("prtype")))
        if levels := [level for level in self.p.texts("prlevel") if level]:
            conditions.append(table.pr_level.in_(levels))
        if self.p.text("prfiltercascade") != "all":
            conditions.append(
                table.pr_cascade == int(self.p.text("prfiltercascade") == "cascading")
            )
        return conditions

    def _language_links(self) -> list[Any]:
        if self.p.text("filterlanglinks") == "all":
            return []
        links = LangLinks.select(LangLinks.ll_from).where(LangLinks.ll_from == Page.page_id)
        exists = fn.EXISTS(links)
        return [exists if self.p.text("filterlanglinks") == "withlanglinks" else ~exists]


def _continue_value(row: Row) -> str:
    _, _, title, *_ = row
    return str(title)
