"""Titles with an interwiki prefix: pages of other wikis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.web.replies import redirect_reply

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit


def show_elsewhere(visit: Visit, title: Title) -> Reply:
    """Lead on to a wiki of the same family; to any other only by a link that is seen."""
    url = visit.url(title)
    entry = visit.site.interwiki.get(title.interwiki)
    if entry and entry.local and url.startswith(("https://", "http://", "//")):
        return redirect_reply(visit.full_url(url))
    return visit.draw("elsewhere.html", title.prefixed_text, status=404, url=url)
