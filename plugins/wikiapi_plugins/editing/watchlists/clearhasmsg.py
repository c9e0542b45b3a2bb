"""``action=clearhasmsg``."""

from __future__ import annotations

from wikiapi.api import WriteAction
from wikiapi.pages import forget_messages
from wikiapi.store.models import Watchlist
from wikiapi.title import USER_TALK


class ClearHasMsg(WriteAction):
    """Clear the notice that the talk page of the current user was changed."""

    name = "clearhasmsg"
    position = 40
    needs_token = ""
    examples = (("action=clearhasmsg", "Clear the notice"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:ClearHasMsg",)

    def perform(self) -> None:
        """Clear the notice, also on the user's watch list."""
        user = self.context.user
        forget_messages(self.db, user)
        if not user.is_anonymous:
            visited = Watchlist.update(wl_notificationtimestamp=None).where(
                Watchlist.wl_user == user.id,
                Watchlist.wl_namespace == USER_TALK,
                Watchlist.wl_title == user.name.replace(" ", "_"),
            )
            self.db.execute_write(visited)
        self.result.set((), self.name, "success")
