"""The facts of a rendering in Parsoid's form: MediaWiki 1.45 notes no links with it."""

from __future__ import annotations

from html import escape

from wikiapi.api.result import Arr
from wikiapi_plugins.actions.parse.facts import Facts


class ParsoidFacts(Facts):
    """A rendering whose links are in its document alone."""

    def links(self) -> Arr:
        """None: every link to a page is marked in the document."""
        return Arr((), "pl")

    def external_links(self) -> Arr:
        """None, likewise."""
        return Arr((), "el")

    def interwiki_links(self) -> Arr:
        """None, likewise."""
        return Arr((), "iw")

    def display_title(self) -> str:
        """The title set by the page, or its bare name."""
        return self.output.title_html or escape(self.source.title.prefixed_text, quote=False)
