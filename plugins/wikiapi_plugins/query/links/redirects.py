"""``prop=redirects``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.links import REDIRECTS
from wikiapi.store.models import Redirect
from wikiapi_plugins.query.links.linkshere import IncomingLinks, incoming_params

if TYPE_CHECKING:
    from wikiapi.store.statements import Row


class Redirects(IncomingLinks):
    """Find all redirects to the given pages."""

    name = "redirects"
    prefix = "rd"
    element = "rd"
    table = REDIRECTS
    flag = Redirect.rd_fragment
    flag_prop = "fragment"
    params = incoming_params("fragment", default="pageid|title", flag="fragment")
    examples = (
        ("action=query&prop=redirects&titles=Main%20Page", "The redirects to the main page"),
        ("action=query&generator=redirects&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Redirects",)

    def flag_condition(self) -> Any:
        """Whether the redirect leads to a section."""
        return Redirect.rd_fragment.is_null(False) & (Redirect.rd_fragment != "")

    def items(self, rows: list[Row]) -> list[dict[str, Any]]:
        """The sections that redirects lead to are told of those that lead to one."""
        items = super().items(rows)
        for item, row in zip(items, rows, strict=True):
            del item["redirect"]
            if row[-1]:
                item["fragment"] = row[-1]
        return items
