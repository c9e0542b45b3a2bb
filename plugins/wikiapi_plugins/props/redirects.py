"""``prop=redirects``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.links import REDIRECTS
from wikiapi.store.models import Redirect
from wikiapi_plugins.families.incoming import IncomingLinks, incoming_params, more

if TYPE_CHECKING:
    from wikiapi.store.statements import Row


class Redirects(IncomingLinks):
    """Find all redirects to the given pages."""

    name = "redirects"
    prefix = "rd"
    element = "rd"
    table = REDIRECTS
    columns = (Redirect.rd_fragment,)
    params = incoming_params("fragment", default="pageid|title", flag="fragment")
    examples = (
        ("action=query&prop=redirects&titles=Main%20Page", "The redirects to the main page"),
        ("action=query&generator=redirects&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Redirects",)

    def shown(self, row: Row) -> bool:
        """Whether the redirect leads to a section."""
        return bool(more(row)[0])

    def flag_condition(self) -> Any:
        """The same as a condition of the database."""
        return Redirect.rd_fragment.is_null(False) & (Redirect.rd_fragment != "")

    def extras(self, row: Row) -> dict[str, Any]:
        """The section that the redirect leads to."""
        wanted = "fragment" in self.p["prop"] and self.shown(row)
        return {"fragment": more(row)[0]} if wanted else {}
