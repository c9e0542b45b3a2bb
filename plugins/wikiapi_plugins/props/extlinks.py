"""``prop=extlinks``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import boolean, continuation, limit
from wikiapi.api.query.module import PropModule
from wikiapi.api.result import Obj
from wikiapi.store import externallinks
from wikiapi.store.models import ExternalLinks
from wikiapi_plugins.families.urlfilter import url_conditions, url_filter_params

if TYPE_CHECKING:
    from wikiapi.store.statements import Row


class ExtLinks(PropModule):
    """Return all external URLs (not interwikis) from the given pages."""

    name = "extlinks"
    prefix = "el"
    element = "el"
    params = (
        limit(),
        continuation(),
        *url_filter_params(),
        boolean("expandurl", "Give URLs without protocol the canonical one.", deprecated=True),
    )
    examples = (("action=query&prop=extlinks&titles=Main%20Page", "The links of the main page"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Extlinks",)

    def execute(self) -> None:
        """Tell the links of each page, in the order in which they were stored."""
        conditions = url_conditions(self)
        if parts := self.continue_parts(1):
            conditions.append(ExternalLinks.el_id >= self.continue_int(parts[0]))
        if not self.page_set.good:
            return
        query = externallinks.external(list(self.page_set.good))
        query = query.where(*conditions) if conditions else query
        rows = self.rows(query.order_by(ExternalLinks.el_id).limit(self.p["limit"] + 1))
        self.tell_rows(rows, self.p["limit"], lambda row: str(row[1]), lambda row: row[0], _item)


def _item(row: Row) -> Obj:
    return Obj({"url": externallinks.url_of(row[2], row[3])}, content="url")
