"""``list=allfileusages``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi.title import FILE
from wikiapi_plugins.query.links.alllinks import AllTargets, all_links_params


class AllFileUsages(AllTargets):
    """List the files that pages use, whether the files exist or not."""

    name = "allfileusages"
    prefix = "af"
    element = "f"
    table = links.IMAGES
    params = all_links_params(default_namespace=FILE, fixed_namespace=True)
    examples = (
        ("action=query&list=allfileusages&affrom=B&afprop=ids|title",
         "Used files from B on, with the pages they are used in"),
        ("action=query&list=allfileusages&afunique=&affrom=B", "Each used file once"),
        ("action=query&generator=allfileusages&gaffrom=B", "The pages that use files"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allfileusages",)
