"""``prop=redirects``."""

from __future__ import annotations

from typing import Any

from wikiapi.store.models import Redirect
from wikiapi.store.queries import links
from wikiapi_plugins.query.links.linkshere import IncomingLink, IncomingLinks, incoming_params


class Redirects(IncomingLinks):
    """List the redirects to the pages."""

    name = "redirects"
    prefix = "rd"
    element = "rd"
    table = links.REDIRECTS
    flag = Redirect.rd_fragment
    flag_prop = "fragment"
    params = incoming_params("fragment", default="pageid|title", flag="fragment")
    examples = (
        ("action=query&prop=redirects&titles=Main%20Page", "The redirects to the main page"),
        ("action=query&generator=redirects&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Redirects",)

    def flag_condition(self) -> Any:
        """Return the condition that a redirect leads to a section."""
        return Redirect.rd_fragment.is_null(False) & (Redirect.rd_fragment != "")

    def items(self, incoming: list[IncomingLink]) -> list[dict[str, Any]]:
        """Return the items of redirects, with the fragment of those that lead to a section."""
        items = super().items(incoming)
        for item, link in zip(items, incoming, strict=True):
            del item["redirect"]
            if link.flag:
                item["fragment"] = link.flag
        return items
