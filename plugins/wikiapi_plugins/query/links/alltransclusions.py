"""``list=alltransclusions``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi.title import TEMPLATE
from wikiapi_plugins.query.links.alllinks import AllTargets, all_links_params


class AllTransclusions(AllTargets):
    """List the transclusions of a namespace's pages, whether the pages exist or not."""

    name = "alltransclusions"
    prefix = "at"
    element = "t"
    walks_exactly = False
    table = links.TEMPLATES
    usual_namespace = TEMPLATE
    params = all_links_params(default_namespace=TEMPLATE)
    examples = (
        ("action=query&list=alltransclusions&atfrom=B&atprop=ids|title",
         "Transcluded titles from B on, with the pages they are used in"),
        ("action=query&list=alltransclusions&atunique=&atfrom=B", "Each transcluded title once"),
        ("action=query&generator=alltransclusions&gatfrom=B", "The pages that transclude"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Alltransclusions",)
