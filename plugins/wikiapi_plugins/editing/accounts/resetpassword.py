"""``action=resetpassword``: sending a temporary password to a user who has forgotten theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wikiapi.accounts import Mail, Mailbox, authentication, blocks_on, mail
from wikiapi.api import Obj, WriteAction, string, user
from wikiapi.errors import ApiError
from wikiapi.store.models import User, UserProperties

_MAX_ACCOUNTS = 20
"""Largest number of accounts with one mail address that get a temporary password at once."""
_TEXT = """Somebody, probably you, has asked for a new password for the account "{name}" of {site}.

You can log in with this temporary password within a week:

{password}

You will then be asked to choose a new password. If you have not asked for this, or have remembered
your password, you need not do anything: your old password still works.
"""


class _Account(NamedTuple):
    user_id: int
    name: str
    address: str
    reset_at: str | None


class ResetPassword(WriteAction):
    """Send a mail with a temporary password to a user who has forgotten theirs."""

    # Neither the answer nor the time that it takes reveals whether a matching account exists: the
    # same statements and one hash are made for none as for several accounts, which share the
    # temporary password, since one person gets it.

    name = "resetpassword"
    position = 8
    params = (
        user("user", "The user.", kinds=("name",)),
        string("email", "The user's mail address."),
    )
    examples = (("action=resetpassword&user=Example&token=123ABC", "Reset the password of a user"),)
    help_urls = (
        "https://www.mediawiki.org/wiki/Special:MyLanguage/API:Manage_authentication_data",
    )

    def prepare(self) -> None:
        """Check the request, and generate a temporary password.

        Raises:
            ApiError: ``passwordreset-emaildisabled``, ``badaccess``, ``blocked-mailpassword`` or
                ``passwordreset-nodata``.
        """
        if not self.site.config.editing.email:
            raise ApiError("passwordreset-emaildisabled", "passwordreset-emaildisabled")
        if not self.context.user.can("editmyprivateinfo"):
            raise ApiError("badaccess", "badaccess-group0", "editmyprivateinfo")
        if any(
            block.sitewide or block.create_account for block in blocks_on(self.context.performer)
        ):
            raise ApiError("blocked-mailpassword", "blocked-mailpassword")
        if not self.p.text_or_none("user") and not self.p.text_or_none("email"):
            raise ApiError("passwordreset-nodata", "passwordreset-nodata")
        self._password = authentication.new_temporary_password()

    def perform(self) -> None:
        """Give the password to all matching accounts, and put it into the outbox."""
        name, address = self.p.text_or_none("user"), self.p.text_or_none("email")
        columns = (User.user_id, User.user_name, User.user_email, User.user_newpass_time)
        matching = User.user_name == name if name else User.user_email == (address or "")
        query = User.select(*columns).where(matching, User.user_email != "")
        rows = self.db.execute(query.order_by(User.user_id).limit(_MAX_ACCOUNTS))
        accounts = [_Account(*row) for row in rows]
        # The accounts for which name and address must both be right.
        ids = [account.user_id for account in accounts] or [mail.WIKI.user_id]
        choices = UserProperties.select(UserProperties.up_user, UserProperties.up_value).where(
            UserProperties.up_user.in_(ids), UserProperties.up_property == "requireemail"
        )
        rows = self.db.execute(choices)
        strict = {user_id for user_id, value in rows if value not in (None, "", "0")}
        self._send(
            [
                account
                for account in accounts
                if not authentication.was_made_lately(self.site, account.reset_at)
                and (account.user_id not in strict or (name and account.address == address))
            ]
        )
        self.result.set((), self.name, Obj({"status": "success"}))

    def _send(self, accounts: Sequence[_Account]) -> None:
        authentication.set_temporary_password(
            self.site, [account.user_id for account in accounts], self._password
        )
        site = self.site.config.site.name
        mails = [
            Mail(
                mail.WIKI,
                Mailbox(account.user_id, account.address),
                f"Temporary password for {site}",
                _TEXT.format(name=account.name, site=site, password=self._password.text),
            )
            for account in accounts
        ]
        mail.post(self.site, *(mails or [Mail(mail.WIKI, mail.WIKI, "", "")]))
        mail.discard_undeliverable(self.site)
