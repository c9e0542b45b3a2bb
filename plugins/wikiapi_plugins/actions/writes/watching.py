"""Actions on the watchlist."""

from __future__ import annotations

from wikiapi.api.params.declaration import boolean, integer, string, timestamp
from wikiapi_plugins.actions.writes.declared import Write
from wikiapi_plugins.families.pagesetparams import PAGE_SET

_CONTINUE = string("continue", "When more results are available, use this to continue.")

WRITES = (
    Write(
        name="watch",
        help="Watch pages, or stop watching them.",
        manual="API:Watch",
        kind="watch",
        params=(
            string("title", "The page; use ``titles`` instead.", deprecated=True),
            boolean("unwatch", "Stop watching the pages."),
            _CONTINUE,
            *PAGE_SET,
        ),
        examples=(("action=watch&titles=Main_Page&token=123ABC", "Watch a page"),),
    ),
    Write(
        name="setnotificationtimestamp",
        help="Say up to when watched pages were seen.",
        manual="API:SetNotificationTimestamp",
        params=(
            boolean("entirewatchlist", "Do it for all watched pages."),
            timestamp("timestamp", "The moment."),
            integer("torevid", "The revision, for one page only."),
            integer("newerthanrevid", "The revision before it, for one page only."),
            _CONTINUE,
            *PAGE_SET,
        ),
        examples=(("action=setnotificationtimestamp&entirewatchlist=&token=123ABC",
                   "Forget all notifications"),),
    ),
)  # fmt: skip
