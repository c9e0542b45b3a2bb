"""What lists of titles share: the namespace they are in, and how a title shows."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.title import MAIN, Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import SpecialCall, escape_text
from wikiapi.wikitext.inline.linkholders import known_link
from wikiapi.wikitext.syntax import trim

LIMIT = 345
"""Titles that are shown at most."""


def chosen_namespace(call: SpecialCall) -> int:
    """Return the namespace whose number is the option ``namespace``, else the main one."""
    given = call.options.get("namespace", "")
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else MAIN
    return number if call.site.namespaces.get(number) else MAIN


def title_start(site: Wiki, text: str, namespace: int) -> tuple[int, str] | None:
    """Return a namespace and the beginning of a key, from a possibly incomplete title.

    A namespace written out wins over the one that is given. ``None`` for what can begin no title.
    """
    if not trim(text):
        return namespace, ""
    title = site.titles.try_parse(text, namespace)
    if title is None:
        # A namespace alone is no title, but one with a page behind it is.
        title = site.titles.try_parse(f"{text}x", namespace)
        return (title.ns, title.dbkey[:-1]) if title and not title.interwiki else None
    return None if title.interwiki else (title.ns, title.dbkey)


def title_list(
    call: SpecialCall, namespace: int, rows: Iterable[tuple[str, bool]], css: str, cut: int = 0
) -> str:
    """Return a list of pages from their keys and redirect flags; empty if there are none.

    ``css`` is the list's class; ``cut`` is how much of the beginnings of the keys is not shown.
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
