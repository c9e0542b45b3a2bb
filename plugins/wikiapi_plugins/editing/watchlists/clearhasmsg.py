"""``action=clearhasmsg``."""

from __future__ import annotations

from wikiapi.store.models import Watchlist
from wikiapi.title import USER_TALK
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.watchlists.notices import forget_messages


class ClearHasMsg(WriteAction):
    """Clears the notice that the user's talk page was changed."""

    def perform(self) -> None:
        """Clear the notice, also on the user's watch list."""
        user = self.context.user
        forget_messages(self.db, user)
        if not user.is_anonymous:
            seen = Watchlist.update(wl_notificationtimestamp=None).where(
                Watchlist.wl_user == user.id,
                Watchlist.wl_namespace == USER_TALK,
                Watchlist.wl_title == user.name.replace(" ", "_"),
            )
            self.db.execute_write(seen)
        self.result.set((), self.name, "success")
