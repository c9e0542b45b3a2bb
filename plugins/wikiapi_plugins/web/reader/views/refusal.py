"""What cannot be shown, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi_plugins.web.reader.declined import Declined
    from wikiapi_plugins.web.reader.visit import Visit

_HEADINGS = {400: "bad-title", 403: "not-allowed", 404: "not-found", 503: "not-available"}


def show_refusal(visit: Visit, declined: Declined) -> Reply:
    """A page with the reason; on a private wiki it holds nothing else of the wiki."""
    return visit.draw(
        "refusal.html",
        visit.text(_HEADINGS.get(declined.status, "not-found")),
        status=declined.status,
        reason=visit.tell(declined.message),
    )
