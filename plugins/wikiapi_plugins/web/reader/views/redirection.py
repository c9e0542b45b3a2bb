"""Redirects: the visitor is led on to the page that one names."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from wikiapi.store import redirects
from wikiapi.title.namespaces import SPECIAL
from wikiapi_plugins.web.replies import redirect_reply

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.stored import StoredPage
    from wikiapi_plugins.web.reader.visit import Visit

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
