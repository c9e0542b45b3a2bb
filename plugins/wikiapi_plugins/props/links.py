"""``prop=links``."""

from __future__ import annotations

from wikiapi.store.links import PAGES
from wikiapi_plugins.families.outgoing import OutgoingLinks, outgoing_params


class Links(OutgoingLinks):
    """Return all links from the given pages."""

    name = "links"
    prefix = "pl"
    element = "pl"
    table = PAGES
    params = outgoing_params("titles", namespaces=True)
    examples = (
        ("action=query&prop=links&titles=Main%20Page", "The links on the main page"),
        ("action=query&generator=links&titles=Main%20Page&prop=info", "Facts about their targets"),
        ("action=query&prop=links&titles=Main%20Page&plnamespace=2|10",
         "Links to users' pages and templates"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Links",)
