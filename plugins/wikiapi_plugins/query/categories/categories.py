"""``prop=categories``."""

from __future__ import annotations

from typing import Any

from peewee import JOIN

from wikiapi.api import enum, iso
from wikiapi.errors import ApiError
from wikiapi.store.models import CategoryLinks, LinkTarget, Page, PageProps
from wikiapi.store.queries import categories, links
from wikiapi.title import CATEGORY
from wikiapi_plugins.query.links.links import OutgoingLinks, outgoing_params

_COLUMNS = (
    categories.SORT_KEY,
    CategoryLinks.cl_sortkey_prefix,
    CategoryLinks.cl_timestamp,
)


class Categories(OutgoingLinks):
    """List the categories that contain the pages."""

    name = "categories"
    prefix = "cl"
    element = "cl"
    table = links.CATEGORIES
    titles_param = "categories"
    unfit = "apiwarn-invalidcategory"
    params = outgoing_params(
        "categories",
        enum("prop", "sortkey", "timestamp", "hidden", multi=True,
             help="Properties to include besides the title."),
        enum("show", "hidden", "!hidden", multi=True,
             help="Only hidden categories, or only others."),
    )  # fmt: skip
    examples = (
        ("action=query&prop=categories&titles=Main%20Page", "The categories of the main page"),
        ("action=query&generator=categories&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Categories",)

    def columns(self) -> tuple[Any, ...]:
        """Return the columns of sort key, prefix and time, and the mark of hidden categories."""
        return (*_COLUMNS, PageProps.pp_propname) if self._asks_hidden else _COLUMNS

    def refine(self, query: Any) -> Any:
        """Return the query with the mark of hidden categories joined to it, if it is needed."""
        show = self.p.texts("show")
        if len(show) > 1:
            raise ApiError("show", "apierror-show")
        if not self._asks_hidden:
            return query
        query = query.join_from(
            LinkTarget,
            Page,
            JOIN.LEFT_OUTER,
            on=(Page.page_namespace == CATEGORY) & (Page.page_title == LinkTarget.lt_title),
        ).join_from(
            Page,
            PageProps,
            JOIN.LEFT_OUTER,
            on=(PageProps.pp_page == Page.page_id) & (PageProps.pp_propname == "hiddencat"),
        )
        return query.where(PageProps.pp_propname.is_null("!hidden" in show)) if show else query

    def details(self, *values: Any) -> dict[str, Any]:
        """Return the requested properties of a category."""
        item: dict[str, Any] = {}
        prop = self.p.texts("prop")
        key, prefix, timestamp, *mark = values
        if "sortkey" in prop:
            item |= {"sortkey": bytes(key).hex(), "sortkeyprefix": prefix}
        if "timestamp" in prop:
            item["timestamp"] = iso(timestamp)
        if "hidden" in prop:
            item["hidden"] = mark[0] is not None
        return item

    @property
    def _asks_hidden(self) -> bool:
        return "hidden" in self.p.texts("prop") or bool(self.p.texts("show"))
