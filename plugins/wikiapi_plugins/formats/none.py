"""``format=none``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import Format, Rendered
from wikiapi_plugins.formats.dataformat import disposition


class NoneFormat(Format):
    """Output nothing."""

    name = "none"
    examples = (("action=query&meta=siteinfo&format=none", "Nothing but headers"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Data_formats",)

    def render(self, root: Any) -> Rendered:
        """Return an empty body."""
        return Rendered(b"", "text/plain; charset=utf-8", [disposition("txt")])
