"""``list=imageusage``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi_plugins.query.links.backlinks import LinkingPages, backlinks_params


class ImageUsage(LinkingPages):
    """List the pages that use a file."""

    name = "imageusage"
    prefix = "iu"
    element = "iu"
    table = links.IMAGES
    params = backlinks_params(redirect=True)
    examples = (
        ("action=query&list=imageusage&iutitle=File:Example.jpg", "The pages that use a file"),
        (
            "action=query&generator=imageusage&giutitle=File:Example.jpg&prop=info",
            "Facts about them",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Imageusage",)
