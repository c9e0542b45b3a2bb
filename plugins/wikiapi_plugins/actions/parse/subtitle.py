"""The line below a page's title: the pages that a sub-page lies under."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction
from wikiapi.store import pages
from wikiapi.wikitext.html.entities import escape_attribute, escape_text

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title


def subtitle(site: Site, title: Title, language: str) -> str:
    """Links to the pages above a sub-page, those that exist; empty for other pages. One query."""
    if not title.namespace.subpages or "/" not in title.dbkey:
        return ""
    parts = title.prefixed_text.split("/")
    above = [site.titles.try_parse("/".join(parts[:length])) for length in range(1, len(parts))]
    stored = pages.by_titles(site.db, {page.key for page in above if page})
    links: list[str] = []
    shown = ""
    for page, part in zip(above, parts, strict=False):
        shown += part
        if page and page.key in stored:
            links.append(_link(site, page, shown, language))
            shown = ""
        else:
            shown += "/"
    return f'<div class="subpages">&lt; {" | ".join(links)}</div>' if links else ""


def _link(site: Site, page: Title, label: str, language: str) -> str:
    href, tip = escape_attribute(site.page_path(page)), escape_attribute(page.prefixed_text)
    link = f'<a href="{href}" title="{tip}">{escape_text(label)}</a>'
    return f'<bdi dir="{direction(language)}">{link}</bdi>'
