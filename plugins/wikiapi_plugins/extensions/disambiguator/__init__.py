"""Disambiguator: ``__DISAMBIG__`` marks pages that list the meanings of a name.

These pages have the page property ``disambiguation``, and links to them or to their redirects have
the class ``mw-disambig``. In Lua, ``isDisambiguationPage`` of a title is true for them. A page with
links takes one more query, and four if some of the links lead to redirects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.api import Namespaces, QueryPage
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.store import PageRow
from wikiapi.store.models import Page, PageProps
from wikiapi.store.queries import redirects
from wikiapi.wikitext import BehaviorSwitch, ParseState
from wikiapi_plugins.extensions import BundledExtension

PROPERTY = "disambiguation"
_CLASS = "mw-disambig"


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Disambiguator",
            description="Marks pages that list the meanings of a name",
            switches=(BehaviorSwitch(PROPERTY, ("__DISAMBIG__",)),),
            query_pages=(QueryPage("DisambiguationPages", _marked, has_value=True),),
        ),
    )


def _marked(_: Namespaces) -> Any:
    """Return a query of the marked pages, ordered by id."""
    query = Page.select(Page.page_namespace, Page.page_title, Page.page_id)
    marked = query.join(PageProps, on=(PageProps.pp_page == Page.page_id))
    return marked.where(PageProps.pp_propname == PROPERTY).order_by(PageProps.pp_page)


@hookimpl
def on_links_found(state: ParseState, pages: Mapping[tuple[int, str], PageRow]) -> None:
    """Add the class to links to marked pages."""
    marked = redirects.property_through_redirects(state.site.db, pages.values(), PROPERTY)
    for key in marked:
        state.links.add_class(key, _CLASS)
