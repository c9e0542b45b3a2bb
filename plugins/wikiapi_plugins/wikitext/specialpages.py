"""``{{Special:AllPages/from}}`` and ``{{Special:PrefixIndex/prefix}}``: lists of pages by title."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.store.queries import pages
from wikiapi.title import MAIN
from wikiapi.wiki import Wiki
from wikiapi.wikitext import SpecialCall, SpecialPage, escape_text, known_link, trim

_LIMIT = 345
"""The highest number of titles that are shown."""
_STYLES = "mediawiki.special"
_FORM_STYLES = (
    "oojs-ui-core.styles",
    "oojs-ui.styles.indicators",
    "mediawiki.widgets.styles",
    "oojs-ui-core.icons",
    "mediawiki.htmlform.ooui.styles",
)
"""The styles of the form that MediaWiki builds with the list of a prefix, also if it is hidden."""


def all_pages(call: SpecialCall) -> str:
    """Return a list of pages; empty if there are none.

    Options: ``namespace`` (a number), ``from``, ``to``, ``hideredirects``.
    """
    options, site = call.options, call.site
    call.state.output.module_styles[_STYLES] = None
    start = _title_start(site, call.subpage or options.get("from", ""), _namespace_of(call))
    end = _title_start(site, options.get("to", ""), start[0]) if start else None
    if start is None or end is None:
        return ""
    namespace, key = start
    redirects = not options.get("hideredirects")
    rows = pages.by_title(
        site.db, namespace, _LIMIT, start=key or None, end=end[1] or None, redirects=redirects
    )
    return _title_list(call, namespace, rows, "mw-allpages-chunk")


def prefix_index(call: SpecialCall) -> str:
    """Return a list of the pages with a prefix; empty if there are none.

    Options: ``namespace`` (a number), ``prefix``, ``from``, ``hideredirects``, ``stripprefix``.
    """
    options, site = call.options, call.site
    call.state.output.module_styles |= dict.fromkeys((_STYLES, *_FORM_STYLES))
    prefix = call.subpage or options.get("prefix") or options.get("from", "")
    start = _title_start(site, prefix, _namespace_of(call))
    first = _title_start(site, options.get("from", ""), start[0]) if start else None
    if start is None or first is None:
        return ""
    namespace, key = start
    redirects = not options.get("hideredirects")
    rows = pages.by_title(
        site.db, namespace, _LIMIT, prefix=key, start=first[1] or None, redirects=redirects
    )
    stripped = len(key) if options.get("stripprefix") else 0
    return _title_list(call, namespace, rows, "mw-prefixindex-list", stripped)


def _namespace_of(call: SpecialCall) -> int:
    """Return the number in the option ``namespace``, or the main namespace if it is invalid."""
    text = call.options.get("namespace", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else MAIN
    return number if call.site.namespaces.get(number) else MAIN


def _title_start(site: Wiki, text: str, namespace: int) -> tuple[int, str] | None:
    """Return a namespace and the beginning of a database key for an incomplete title.

    A namespace prefix in the text takes precedence over ``namespace``. Return ``None`` if no title
    can begin with the text.
    """
    if not trim(text):
        return namespace, ""
    title = site.titles.try_parse(text, namespace)
    if title is None:
        # A namespace prefix alone is not a title, but it is one with a letter after it.
        title = site.titles.try_parse(f"{text}x", namespace)
        return (title.ns, title.dbkey[:-1]) if title and not title.interwiki else None
    return None if title.interwiki else (title.ns, title.dbkey)


def _title_list(
    call: SpecialCall, namespace: int, rows: Iterable[tuple[str, bool]], css: str, cut: int = 0
) -> str:
    """Return the HTML of a list of pages; empty if there are none.

    Args:
        call: the call of the special page.
        namespace: the namespace of the pages.
        rows: database key of each page, and whether it is a redirect.
        css: class of the list.
        cut: number of characters at the beginning of each key that are not shown.
    """
    items = []
    for dbkey, is_redirect in rows:
        title = call.site.titles.make(namespace, dbkey)
        label = dbkey[cut:].replace("_", " ") or title.text
        css_class = "mw-redirect" if is_redirect else ""
        link = known_link(title, escape_text(label), call.site, css_class)
        item_class = ' class="allpagesredirect"' if is_redirect else ""
        items.append(f"<li{item_class}>{link}</li>\n")
    return f'<ul class="{css}">{"".join(items)}</ul>' if items else ""


DECLARATIONS = (SpecialPage("AllPages", all_pages), SpecialPage("PrefixIndex", prefix_index))
