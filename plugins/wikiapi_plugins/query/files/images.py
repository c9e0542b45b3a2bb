"""``prop=images``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi_plugins.query.links.links import OutgoingLinks, outgoing_params


class Images(OutgoingLinks):
    """List the files that the pages use."""

    name = "images"
    prefix = "im"
    element = "im"
    table = links.IMAGES
    titles_param = "images"
    unfit = "apiwarn-notfile"
    params = outgoing_params("images")
    examples = (
        ("action=query&prop=images&titles=Main%20Page", "The files used on the main page"),
        ("action=query&generator=images&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Images",)
