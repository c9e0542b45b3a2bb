"""Disambiguator: ``__DISAMBIG__`` marks pages that list the meanings of a name.

They have the property ``disambiguation``; links to them, and to redirects that lead there, have the
class ``mw-disambig``; Lua finds it in ``isDisambiguationPage`` of a title. A page with links costs
a query more, one with links to redirects four.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.api import Namespaces, QueryPage
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.store import PageRow
from wikiapi.store.models import Page, PageProps
from wikiapi.store.queries import redirects
from wikiapi.wikitext import BehaviorSwitch, ParseState

PROPERTY = "disambiguation"
_CLASS = "mw-disambig"


@hookimpl
def register_behavior_switches() -> Iterable[BehaviorSwitch]:
    """Return ``__DISAMBIG__``."""
    return (BehaviorSwitch(PROPERTY, ("__DISAMBIG__",)),)


@hookimpl
def register_query_pages() -> Iterable[QueryPage]:
    """Return the special page that lists the pages."""
    return (QueryPage("DisambiguationPages", _marked, has_value=True),)


def _marked(_: Namespaces) -> Any:
    """Return the query of marked pages in the order of their ids."""
    query = Page.select(Page.page_namespace, Page.page_title, Page.page_id)
    marked = query.join(PageProps, on=(PageProps.pp_page == Page.page_id))
    return marked.where(PageProps.pp_propname == PROPERTY).order_by(PageProps.pp_page)


@hookimpl
def on_links_found(state: ParseState, pages: Mapping[tuple[int, str], PageRow]) -> None:
    """Mark links to pages that list meanings."""
    marked = redirects.property_through_redirects(state.site.db, pages.values(), PROPERTY)
    for key in marked:
        state.links.add_class(key, _CLASS)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    description = "Marks pages that list the meanings of a name"
    return (ExtensionCredits.bundled("Disambiguator", "parserhook", description),)
