"""``list=pagepropnames``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import ListModule, continuation, limit
from wikiapi.store.models import PageProps


class PagePropNames(ListModule):
    """List the names of the properties that pages have."""

    name = "pagepropnames"
    prefix = "ppn"
    element = "p"
    params = (continuation(), limit())
    examples = (("action=query&list=pagepropnames", "The first names"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Pagepropnames",)

    def execute(self) -> None:
        """List the names."""
        query: Any = PageProps.select(PageProps.pp_propname).distinct()
        if self.p.text_or_none("continue"):
            query = query.where(PageProps.pp_propname >= self.p.text("continue"))
        query = query.order_by(PageProps.pp_propname).limit(self.p.number("limit") + 1)
        names = [name for (name,) in self.rows(query)]
        self.emit([{"propname": name} for name in names], names, str)
