"""``list=embeddedin``."""

from __future__ import annotations

from wikiapi.store.queries import links
from wikiapi_plugins.query.links.backlinks import LinkingPages, backlinks_params


class EmbeddedIn(LinkingPages):
    """List the pages that transclude a page."""

    name = "embeddedin"
    prefix = "ei"
    element = "ei"
    table = links.TEMPLATES
    params = backlinks_params(redirect=False)
    examples = (
        (
            "action=query&list=embeddedin&eititle=Template:Stub",
            "The pages that transclude a template",
        ),
        ("action=query&generator=embeddedin&geititle=Template:Stub&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Embeddedin",)
