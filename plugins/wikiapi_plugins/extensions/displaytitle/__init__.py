"""DisplayTitle: links show the display title of the page that they lead to.

This applies to links whose text is the page's name, with or without that of a section. A redirect
without a display title takes that of its target; with ``follow_redirects = false``, links to
redirects are left alone.
``{{#getdisplaytitle:Page}}`` returns a display title. For wikis whose configuration has a table
``[extensions.displaytitle]``, since the extension changes the text of links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store import Database, PageRow
from wikiapi.store.queries import redirects
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, sanitize_tags
from wikiapi_plugins.extensions import BundledExtension

_NAME = PROPERTY = "displaytitle"

Key = tuple[int, str]


@hookimpl
def on_links_found(state: ParseState, pages: Mapping[Key, PageRow]) -> None:
    """Show display titles in links whose text is the name of their page."""
    settings = state.site.config.extensions.get(_NAME)
    if settings is not None:
        titles = _titles(state.site.db, list(pages.values()), settings)
        for key in pages:
            state.links.set_name(key, titles.get(key, ""))


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension, if the wiki enables it."""
    if _NAME not in site.config.extensions:
        return ()
    return (
        BundledExtension(
            "DisplayTitle",
            description="Links show the display titles of pages",
            functions=(GET,),
        ),
    )


def _titles(db: Database, rows: Sequence[PageRow], settings: Mapping[str, Any]) -> dict[Key, str]:
    """Return the display titles, as HTML, of those pages that have one. Takes a few queries."""
    if not settings.get("follow_redirects", True):
        rows = [row for row in rows if not row.is_redirect]
    properties = redirects.property_through_redirects(db, rows, PROPERTY)
    return {key: sanitize_tags(text) for key, text in properties.items() if text.strip()}


def getdisplaytitle(call: FunctionCall) -> str:
    """Return the display title of a page, or its name if it has none."""
    state = call.state
    title = call.site.titles.try_parse(call.first)
    if title is None or title.interwiki or title.ns < 0:
        return call.first
    state.output.add_existence_link(title.without_fragment())
    if not state.lookups.knows_page(title) and not state.expensive():
        return title.prefixed_text
    row = state.lookups.page(title)
    settings = call.site.config.extensions[_NAME]
    titles = _titles(call.site.db, [row], settings) if row else {}
    return titles.get(title.key, title.prefixed_text)


GET = ParserFunction("#getdisplaytitle", getdisplaytitle, ("getdisplaytitle",))
