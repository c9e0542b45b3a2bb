"""``list=backlinks``."""

from __future__ import annotations

from wikiapi.store.links import PAGES
from wikiapi_plugins.families.backlinks import Backlinks as Family
from wikiapi_plugins.families.backlinks import backlinks_params


class Backlinks(Family):
    """Find all pages that link to the given page."""

    name = "backlinks"
    prefix = "bl"
    element = "bl"
    table = PAGES
    params = backlinks_params(redirect=True)
    examples = (
        ("action=query&list=backlinks&bltitle=Main%20Page", "The pages that link to the main page"),
        ("action=query&generator=backlinks&gbltitle=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Backlinks",)
