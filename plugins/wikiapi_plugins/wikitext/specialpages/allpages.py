"""``{{Special:AllPages/from}}`` and ``{{Special:PrefixIndex/prefix}}``: lists of pages by title."""

from __future__ import annotations

from wikiapi.store.queries.pages import by_title
from wikiapi.wikitext import SpecialCall, SpecialPage
from wikiapi_plugins.wikitext.specialpages.titlelist import (
    LIMIT,
    chosen_namespace,
    title_list,
    title_start,
)

_STYLES = "mediawiki.special"


def all_pages(call: SpecialCall) -> str:
    """Return a list of pages; empty if there are none.

    Options: ``namespace`` (a number), ``from``, ``to``, ``hideredirects``.
    """
    options, site = call.options, call.site
    call.state.output.module_styles[_STYLES] = None
    start = title_start(site, call.subpage or options.get("from", ""), chosen_namespace(call))
    end = title_start(site, options.get("to", ""), start[0]) if start else None
    if start is None or end is None:
        return ""
    namespace, key = start
    redirects = not options.get("hideredirects")
    rows = by_title(
        site.db, namespace, LIMIT, start=key or None, end=end[1] or None, redirects=redirects
    )
    return title_list(call, namespace, rows, "mw-allpages-chunk")


DECLARATION = SpecialPage("AllPages", all_pages)


def prefix_index(call: SpecialCall) -> str:
    """Return a list of the pages with a prefix; empty if there are none.

    Options: ``namespace`` (a number), ``prefix``, ``from``, ``hideredirects``, ``stripprefix``.
    """
    options, site = call.options, call.site
    call.state.output.module_styles[_STYLES] = None
    prefix = call.subpage or options.get("prefix") or options.get("from", "")
    found = title_start(site, prefix, chosen_namespace(call))
    first = title_start(site, options.get("from", ""), found[0]) if found else None
    if found is None or first is None:
        return ""
    namespace, key = found
    redirects = not options.get("hideredirects")
    rows = by_title(
        site.db, namespace, LIMIT, prefix=key, start=first[1] or None, redirects=redirects
    )
    stripped = len(key) if options.get("stripprefix") else 0
    return title_list(call, namespace, rows, "mw-prefixindex-list", stripped)


PREFIX_INDEX = SpecialPage("PrefixIndex", prefix_index)
