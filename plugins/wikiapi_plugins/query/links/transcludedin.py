"""``prop=transcludedin``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi_plugins.query.links.linkshere import IncomingLinks, incoming_params


class TranscludedIn(IncomingLinks):
    """List the pages that transclude the requested ones."""

    name = "transcludedin"
    prefix = "ti"
    element = "ti"
    table = links.TEMPLATES
    params = incoming_params("redirect", default="pageid|title|redirect", flag="redirect")
    examples = (
        ("action=query&prop=transcludedin&titles=Main%20Page", "The pages that transclude it"),
        ("action=query&generator=transcludedin&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Transcludedin",)
