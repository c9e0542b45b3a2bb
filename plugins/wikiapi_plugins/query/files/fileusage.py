"""``prop=fileusage``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi_plugins.query.links.linkshere import IncomingLinks, incoming_params


class FileUsage(IncomingLinks):
    """List the pages that use the files."""

    name = "fileusage"
    prefix = "fu"
    element = "fu"
    table = links.IMAGES
    params = incoming_params("redirect", default="pageid|title|redirect", flag="redirect")
    examples = (
        ("action=query&prop=fileusage&titles=File%3AExample.jpg", "The pages that use the file"),
        ("action=query&generator=fileusage&titles=File%3AExample.jpg&prop=info",
         "Facts about them"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Fileusage",)
