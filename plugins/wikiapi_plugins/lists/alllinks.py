"""``list=alllinks``."""

from __future__ import annotations

from wikiapi.store.links import PAGES
from wikiapi.title.namespaces import MAIN
from wikiapi_plugins.families.alllinks import AllLinks as Family
from wikiapi_plugins.families.alllinks import all_links_params


class AllLinks(Family):
    """List all links that point to a namespace."""

    name = "alllinks"
    prefix = "al"
    element = "l"
    table = PAGES
    params = all_links_params(default_namespace=MAIN)
    examples = (
        ("action=query&list=alllinks&alfrom=B&alprop=ids|title",
         "Linked titles from B on, with the pages that link to them"),
        ("action=query&list=alllinks&alunique=&alfrom=B", "Each linked title once"),
        ("action=query&generator=alllinks&galfrom=B", "The pages with the links"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Alllinks",)
