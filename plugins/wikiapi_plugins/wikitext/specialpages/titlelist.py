"""Helpers for special pages that list titles: their namespace, first title and HTML."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.title import MAIN, Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import SpecialCall, escape_text
from wikiapi.wikitext.inline.linkholders import known_link
from wikiapi.wikitext.syntax import trim

LIMIT = 345
"""The highest number of titles that are shown."""


def chosen_namespace(call: SpecialCall) -> int:
    """Return the number in the option ``namespace``, or the main namespace if it is invalid."""
    given = call.options.get("namespace", "")
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else MAIN
    return number if call.site.namespaces.get(number) else MAIN


def title_start(site: Wiki, text: str, namespace: int) -> tuple[int, str] | None:
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


def title_list(
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
        items.append(_item(title, label, call, is_redirect=is_redirect))
    return f'<ul class="{css}">{"".join(items)}</ul>' if items else ""


def _item(title: Title, label: str, call: SpecialCall, *, is_redirect: bool) -> str:
    css = ' class="allpagesredirect"' if is_redirect else ""
    known = "mw-redirect" if is_redirect else ""
    return f"<li{css}>{known_link(title, escape_text(label), call.site, known)}</li>\n"
