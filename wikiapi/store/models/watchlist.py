# ruff: noqa: D106
"""Watchlists."""

from __future__ import annotations

from wikiapi.store.fields import Binary, Int, Serial, Timestamp, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Watchlist(MediaWikiModel):
    """Pages on watchlists. Private."""

    wl_id = Serial()
    wl_user = UInt()
    wl_namespace = Int(default=0)
    wl_title = Binary(default="")
    wl_notificationtimestamp = Timestamp(null=True)

    class Meta:
        table_name = "watchlist"
        named_indexes = (
            unique("wl_user", "wl_user", "wl_namespace", "wl_title"),
            index("wl_namespace_title", "wl_namespace", "wl_title"),
            index("wl_user_notificationtimestamp", "wl_user", "wl_notificationtimestamp"),
        )
