"""``prop=linkshere``."""

from __future__ import annotations

from wikiapi.store.links import PAGES
from wikiapi_plugins.families.incoming import IncomingLinks, incoming_params


class LinksHere(IncomingLinks):
    """Find all pages that link to the given pages."""

    name = "linkshere"
    prefix = "lh"
    element = "lh"
    table = PAGES
    params = incoming_params("redirect", default="pageid|title|redirect", flag="redirect")
    examples = (
        ("action=query&prop=linkshere&titles=Main%20Page", "The pages that link to the main page"),
        ("action=query&generator=linkshere&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Linkshere",)
