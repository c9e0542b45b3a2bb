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
from wikiapi_plugins.query.titlepart import title_conditions

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
        enum("prlevel", choices=lambda site: ("", *site.config.permissions.protection_levels),
             multi=True,
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
        namespace, prefixed = self.p.number("namespace"), self.site.titles.prefixed
        rows = self._rows(_SELECT_TITLES)
        items = [
            {"pageid": page_id, "ns": namespace, "title": prefixed(namespace, dbkey)}
            for page_id, _, dbkey in rows
        ]
        self.emit(items, rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages."""
        if self.query.follows_redirects:
            raise ApiError("params", "apierror-allpages-generator-redirects")
        rows = self.within_limit(self._rows(SELECT_PAGES), _continue_value)
        pages.rows += [PageRow(*row) for row in rows]

    def _rows(self, query: Any) -> list[Row]:
        descending = self.p.text("dir") == "descending"
        namespace, order = self.p.number("namespace"), [Page.page_title]
        walk: list[Any] = []
        if parts := self.continue_parts(1):
            walk.append(bounds.starting_at(order, parts, descending=descending))
        walk += title_conditions(self, Page.page_title, namespace, descending=descending)
        pages = PageFilter.of(self, (namespace,), self.p.text("filterredir"))
        filters = [*self._protection_filter(), *self._language_link_filter()]
        has_filters = pages.has_kind_or_size or bool(filters)
        condition = pages.rare_condition(self.db) if pages.has_kind_or_size else None
        if condition is not None or not self.p.texts("prtype"):
            rare = condition
        else:
            table = PageRestrictions
            matching = table.select(table.pr_page).where(table.pr_type.in_(self.p.texts("prtype")))
            rare = Page.page_id.in_(matching) if rarity.is_rare(self.db, matching) else None
        if rare is not None or pages.has_kind_or_size:
            filters += pages.conditions()
        if rare is not None:
            query = query.where(rare, *walk, *filters)
        else:
            walk.append(Page.page_namespace == namespace)
            query = query.where(*walk, *filters)
            if has_filters:
                places = Page.select(*order).where(*walk)
                query = self.bounded(query, places, order, descending=descending)
        query = bounds.ordered(query, *order, descending=descending)
        return self.rows(query.limit(self.p.number("limit") + 1))

    def _protection_filter(self) -> list[Any]:
        """Return the condition that a page is protected as requested."""
        types, duration, table = self.p.texts("prtype"), self.p.text("prexpiry"), PageRestrictions
        if not types and duration == "all":
            if self.p.is_given("prlevel"):
                key = "apierror-invalidparammix-mustusewith"
                raise ApiError("invalidparammix", key, "prlevel", "prtype")
            return []
        never_ends = table.pr_expiry.is_null() | (table.pr_expiry == INFINITY)
        conditions = [
            table.pr_page == Page.page_id,
            never_ends | (table.pr_expiry > compact(self.context.now)),
        ]
        if duration != "all":
            conditions.append(never_ends if duration == "indefinite" else ~never_ends)
        if types:
            conditions.append(table.pr_type.in_(types))
            if levels := [level for level in self.p.texts("prlevel") if level]:
                conditions.append(table.pr_level.in_(levels))
            if self.p.text("prfiltercascade") != "all":
                cascades = int(self.p.text("prfiltercascade") == "cascading")
                conditions.append(table.pr_cascade == cascades)
        return [fn.EXISTS(table.select(table.pr_id).where(*conditions))]

    def _language_link_filter(self) -> list[Any]:
        """Return the condition that a page has language links, or that it has none."""
        if self.p.text("filterlanglinks") == "all":
            return []
        links = LangLinks.select(LangLinks.ll_from).where(LangLinks.ll_from == Page.page_id)
        has_links = fn.EXISTS(links)
        return [has_links if self.p.text("filterlanglinks") == "withlanglinks" else ~has_links]


def _continue_value(row: Row) -> str:
    _, _, title, *_ = row
    return str(title)
