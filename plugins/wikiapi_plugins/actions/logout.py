"""``action=logout``."""

from __future__ import annotations

from wikiapi.accounts import sessions
from wikiapi.api import Action, tokens


class Logout(Action):
    """Log out and forget the session.

    Visitors without account are logged out already and receive the same empty answer.
    """

    name = "logout"
    position = 2
    needs_read = False
    needs_token = tokens.CSRF
    must_be_posted = True
    examples = (("action=logout&token=123ABC", "Log out"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Logout",)

    def execute(self) -> None:
        """End the session, if an account is logged in."""
        if not self.context.user.is_anonymous:
            sessions.log_out(self.site, self.context.session)
