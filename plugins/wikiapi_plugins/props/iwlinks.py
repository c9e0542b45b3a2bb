"""``prop=iwlinks``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import (
    boolean,
    continuation,
    enum,
    limit,
    sort_direction,
    string,
)
from wikiapi.api.result import Obj
from wikiapi.store import externallinks
from wikiapi.store.models import IwLinks as Table
from wikiapi_plugins.families.foreignlinks import TITLE, WHERE, ForeignLinks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.store.statements import Row


class IwLinks(ForeignLinks):
    """Return all interwiki links from the given pages."""

    name = "iwlinks"
    prefix = "iw"
    element = "iw"
    columns = (Table.iwl_from, Table.iwl_prefix, Table.iwl_title)
    where_param = "prefix"
    ordered = 3
    params = (
        enum("prop", "url", multi=True, help="What to tell beside prefix and title.",
             value_help=(("url", "The full address."),)),
        string("prefix", "Only links with this prefix."),
        string("title", "Only links to this title; needs a prefix."),
        sort_direction(),
        limit(),
        continuation(),
        boolean("url", "Tell the full address.", deprecated=True),
    )  # fmt: skip
    examples = (("action=query&prop=iwlinks&titles=Main%20Page", "The links of the main page"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Iwlinks",)

    def query_of(self, page_ids: Sequence[int]) -> Any:
        """The interwiki links of pages."""
        return externallinks.interwiki(page_ids)

    def item(self, row: Row, prop: Sequence[str]) -> Obj:
        """Prefix, address and title."""
        item = Obj({"prefix": row[WHERE]}, content="title")
        title = self.site.titles.try_parse(f"{row[WHERE]}:{row[TITLE]}") if "url" in prop else None
        if title is not None:
            item["url"] = self.site.page_url(title)
        item["title"] = row[TITLE]
        return item
