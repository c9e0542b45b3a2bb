"""``prop=templates``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi_plugins.query.links.links import OutgoingLinks, outgoing_params


class Templates(OutgoingLinks):
    """List the templates and other pages that the pages transclude."""

    name = "templates"
    prefix = "tl"
    element = "tl"
    table = links.TEMPLATES
    titles_param = "templates"
    params = outgoing_params("templates", namespaces=True)
    examples = (
        ("action=query&prop=templates&titles=Main%20Page", "The templates used on the main page"),
        ("action=query&generator=templates&titles=Main%20Page&prop=info", "Facts about them"),
        ("action=query&prop=templates&titles=Main%20Page&tlnamespace=2|10",
         "Only user pages and templates"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Templates",)
