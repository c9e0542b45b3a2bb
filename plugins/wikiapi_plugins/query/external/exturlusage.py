"""``list=exturlusage``."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from wikiapi.api import GeneratedPages, ListModule, boolean, continuation, enum, limit, namespace
from wikiapi.errors import ApiError
from wikiapi.store import PageRow, Row, bounds
from wikiapi.store.models import ExternalLinks, Page
from wikiapi.store.queries import PAGE_COLUMNS, externallinks, rarity
from wikiapi_plugins.query.external.extlinks import url_conditions, url_filter_params
from wikiapi_plugins.query.links.linkshere import picked

_KEYS = MappingProxyType({"ids": ("pageid",), "title": ("ns", "title"), "url": ("url",)})
"""The keys of items by the values of ``prop`` that show them."""
_SELECT_LINKS = ExternalLinks.select(
    ExternalLinks.el_id,
    ExternalLinks.el_to_domain_index,
    ExternalLinks.el_to_path,
    Page.page_id,
    Page.page_namespace,
    Page.page_title,
).join(Page, on=(Page.page_id == ExternalLinks.el_from))
_SELECT_PAGES = _SELECT_LINKS.select(ExternalLinks.el_id, *PAGE_COLUMNS)


class ExtUrlUsage(ListModule):
    """List the pages with links to a site or URL."""

    name = "exturlusage"
    prefix = "eu"
    element = "eu"
    params = (
        enum("prop", "ids", "title", "url", multi=True, default="ids|title|url",
             help="Properties to include.",
             value_help=(("ids", "The id of the page."), ("title", "Its namespace and title."),
                         ("url", "The URL."))),
        continuation(),
        *url_filter_params(),
        namespace(multi=True),
        limit(),
        boolean("expandurl", "Add the canonical protocol to URLs without one.", deprecated=True),
    )  # fmt: skip
    examples = (("action=query&list=exturlusage&euquery=www.mediawiki.org", "Links to a host"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Exturlusage",)

    def execute(self) -> None:
        """List the links."""
        rows = self._rows(_SELECT_LINKS)
        prefixed, url_of = self.site.titles.prefixed, externallinks.url_of
        items = [
            {
                "pageid": page_id,
                "ns": namespace,
                "title": prefixed(namespace, dbkey),
                "url": url_of(index, path),
            }
            for _, index, path, page_id, namespace, dbkey in rows
        ]
        self.emit(picked(items, _KEYS, self.p.texts("prop")), rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages with the links."""
        rows = self.within_limit(self._rows(_SELECT_PAGES), _continue_value)
        pages.rows += [PageRow(*page) for _, *page in rows]

    def _rows(self, query: Any) -> list[Row]:
        table, conditions = ExternalLinks, url_conditions(self)
        matching = table.select(table.el_id).where(*conditions) if conditions else None
        few = matching is not None and rarity.is_rare(self.db, matching)
        if conditions and not few:
            conditions = url_conditions(self, bounds.unindexed(externallinks.DOMAIN))
        walk: list[Any] = []
        if self.p.is_given("continue"):
            try:
                walk.append(table.el_id >= self.continue_int(self.p.text("continue")))
            except ApiError:
                return []  # MediaWiki finds nothing if the value is no id.
        if self.p.numbers("namespace"):
            column = bounds.unindexed(Page.page_namespace)
            conditions.append(column.in_(self.p.numbers("namespace")))
        if conditions or walk:
            query = query.where(*conditions, *walk)
        if conditions and not few:
            places: Any = table.select(table.el_id)
            places = places.where(*walk) if walk else places
            query = self.bounded(query, places, [table.el_id])
        return self.rows(query.order_by(table.el_id).limit(self.p.number("limit") + 1))


def _continue_value(row: Row) -> str:
    link_id, *_ = row
    return str(link_id)
