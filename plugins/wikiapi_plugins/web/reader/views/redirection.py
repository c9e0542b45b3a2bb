"""Redirects: the visitor is led on to the page that one names."""

from __future__ import annotations

from urllib.parse import quote

from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser

from wikiapi.http import Reply
from wikiapi.store import redirects
from wikiapi.title import SPECIAL, Title
from wikiapi_plugins.web.reader.stored import StoredPage
from wikiapi_plugins.web.reader.visit import Visit
from wikiapi_plugins.web.replies import redirect_reply

FROM = "redirectedfrom"
_STAY = "redirect"


def follow(visit: Visit, stored: StoredPage) -> Reply | None:
    """Where a redirect leads; ``None`` to show the page itself. One query for redirects.

    Of a chain of redirects only the first is followed, and none to another wiki or out of a special
    page's namespace.
    """
    if not stored.row.is_redirect or not stored.is_current or _stays(visit):
        return None
    target = _target(visit, stored)
    if target is None or target.ns < 0:
        return None
    url = f"{visit.url(target.without_fragment())}"
    mark = "&" if "?" in url else "?"
    fragment = f"#{quote(target.fragment.replace(' ', '_'))}" if target.fragment else ""
    came_from = quote(stored.title.prefixed_dbkey, safe="/:,()")
    return redirect_reply(f"{url}{mark}{FROM}={came_from}{fragment}")


def _stays(visit: Visit) -> bool:
    params = visit.request.params
    return FROM in params or params.get(_STAY) == "no" or "oldid" in params


def _target(visit: Visit, stored: StoredPage) -> Title | None:
    row = redirects.targets(visit.db, [stored.row.page_id]).get(stored.row.page_id)
    if row is None or row.interwiki or row.namespace == SPECIAL:
        return None
    return visit.site.titles.make(row.namespace, row.title, row.fragment)


_ADDRESSES = ("href", "src", "action", "poster")
_SETS = "srcset"
_SELECTOR = ",".join(f"[{name}]" for name in (*_ADDRESSES, _SETS))


def relocated(visit: Visit, html: str) -> Markup:
    """The HTML of a rendering; changed only where the settings do not know the mount point."""
    script = visit.reader.addresses.index
    if visit.reader.addresses.below(visit.root, script) == script:
        return Markup(html)  # noqa: S704
    tree = LexborHTMLParser(html, is_fragment=True)
    for node in tree.css(_SELECTOR):
        for name in _ADDRESSES:
            value = node.attributes.get(name)
            if value and value.startswith("/"):
                node.attrs[name] = visit.file_url(value)
        if value := node.attributes.get(_SETS):
            node.attrs[_SETS] = ", ".join(
                visit.file_url(part.strip()) for part in value.split(", ")
            )
    return Markup(tree.html or "")  # noqa: S704
