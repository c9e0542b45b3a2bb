"""``prop=redirects``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.links import REDIRECTS
from wikiapi.store.models import Redirect
from wikiapi_plugins.families.incoming import IncomingLinks, incoming_params

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.store.statements import Row


class Redirects(IncomingLinks):
    """Find all redirects to the given pages."""

    name = "redirects"
    prefix = "rd"
    element = "rd"
    table = REDIRECTS
    flag = Redirect.rd_fragment
    flag_prop = "fragment"
    params = incoming_params("fragment", default="pageid|title", flag="fragment")
    examples = (
        ("action=query&prop=redirects&titles=Main%20Page", "The redirects to the main page"),
        ("action=query&generator=redirects&titles=Main%20Page&prop=info", "Facts about them"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Redirects",)

    def flag_condition(self) -> Any:
        """Whether the redirect leads to a section."""
        return Redirect.rd_fragment.is_null(False) & (Redirect.rd_fragment != "")

    def item(self) -> Callable[[Row], dict[str, Any]]:
        """What makes an item, with the section that the redirect leads to if there is one."""
        prefixes = self.site.titles.prefixes

        def item(row: Row) -> dict[str, Any]:
            _, _, page_id, namespace, dbkey, fragment = row
            title = prefixes[namespace] + dbkey.replace("_", " ")
            told = {"pageid": page_id, "ns": namespace, "title": title}
            return told | {"fragment": fragment} if fragment else told

        return item
