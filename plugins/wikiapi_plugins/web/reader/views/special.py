"""Special pages: those that the reader has, and those that pages may transclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.specialpages import is_special_page, shown_name
from wikiapi_plugins.web.reader.declined import Declined
from wikiapi_plugins.web.reader.views.allpages import show_all_pages
from wikiapi_plugins.web.reader.views.categorylist import show_categories
from wikiapi_plugins.web.reader.views.leading import (
    lead_to_difference,
    lead_to_file,
    lead_to_history,
    lead_to_revision,
)
from wikiapi_plugins.web.reader.views.randompage import show_random
from wikiapi_plugins.web.reader.views.recentchanges import show_recent_changes
from wikiapi_plugins.web.reader.views.relocation import relocated
from wikiapi_plugins.web.reader.views.search import show_search
from wikiapi_plugins.web.reader.views.whatlinkshere import show_what_links_here

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit

LISTED: Mapping[str, Callable[[Visit, Title], Reply]] = {
    "AllPages": show_all_pages,
    "Categories": show_categories,
    "Random": show_random,
    "RecentChanges": show_recent_changes,
    "Search": show_search,
}
"""Special pages that say something by themselves, by the name that is shown."""

NEEDING: Mapping[str, Callable[[Visit, Title], Reply]] = {
    "Diff": lead_to_difference,
    "FilePath": lead_to_file,
    "PageHistory": lead_to_history,
    "PermanentLink": lead_to_revision,
    "WhatLinksHere": show_what_links_here,
}
"""Those that are about what their sub-page names."""


def show_special(visit: Visit, title: Title) -> Reply:
    """The special page of a title.

    Raises:
        Declined: there is none of this name, or it cannot be had on a read-only wiki.
    """
    name = shown_name(title.dbkey).partition("/")[0]
    if name == "SpecialPages":
        return _show_list(visit)
    view = LISTED.get(name) or NEEDING.get(name)
    if view is not None:
        return view(visit, title)
    if name in visit.site.parser.registries.special_pages:
        return _show_transcluded(visit, title)
    key = "reader-special-unbuilt" if is_special_page(title.dbkey) else "reader-special-unknown"
    raise Declined(404, key, visit.plain(title.text))


def _show_list(visit: Visit) -> Reply:
    names = sorted({*LISTED, *visit.site.parser.registries.special_pages})
    return visit.draw("specialpages.html", visit.text("special-pages"), names=names)


def _show_transcluded(visit: Visit, title: Title) -> Reply:
    text = f"{{{{{title.prefixed_text}}}}}"
    rendering = visit.reader.renderings.of_text(text, title, visit.language)
    content = relocated(visit, rendering.html)
    return visit.draw("special.html", title.prefixed_text, content=content)
