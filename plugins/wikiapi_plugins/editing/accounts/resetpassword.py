"""``action=resetpassword``: sending a temporary password to a user who has forgotten theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Message
from wikiapi.store.models import User
from wikiapi_plugins.editing.accounts.outbox import WIKI, Mailbox, post
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.identity.temporarypasswords import make, was_made_lately
from wikiapi_plugins.query.users.currentblocks import blocks_on
from wikiapi_plugins.query.users.preferences import stored_options

_MAX_ACCOUNTS = 20
"""Largest number of accounts with one mail address that get a temporary password at once."""
_TEXT = """Somebody, probably you, has asked for a new password for the account "{name}" of {site}.

You can log in with this temporary password within a week:

{password}

You will then be asked to choose a new password. If you have not asked for this, or have remembered
your password, you need not do anything: your old password still works.
"""


class _Found(NamedTuple):
    user_id: int
    name: str
    address: str
    reset_at: str | None


class ResetPassword(WriteAction):
    """Sends temporary passwords by mail.

    The answer does not reveal whether a matching account exists.
    """

    def perform(self) -> None:
        """Generate a temporary password for each matching account, and put it into the outbox.

        Raises:
            ApiError: ``passwordreset-emaildisabled``, ``badaccess``, ``blocked-mailpassword`` or
                ``passwordreset-nodata``.
        """
        self._check_allowed()
        name, address = self.p.text_or_none("user"), self.p.text_or_none("email")
        if not name and not address:
            raise ApiError(Message("passwordreset-nodata"))
        for account in self._accounts(name, address):
            if self._may_get_one(account, name, address):
                self._send(account)
        self.result.set((), self.name, Obj({"status": "success"}))

    def _check_allowed(self) -> None:
        if not self.site.config.editing.email:
            raise ApiError(Message("passwordreset-emaildisabled"))
        if not self.context.user.can("editmyprivateinfo"):
            raise ApiError(Message("badaccess-group0", ("editmyprivateinfo",)), "badaccess")
        if any(block.sitewide or block.create_account for block in blocks_on(self.context)):
            raise ApiError(Message("blocked-mailpassword"))

    def _accounts(self, name: str | None, address: str | None) -> Sequence[_Found]:
        if name:
            return self._select(User.user_name == name)
        return self._select(User.user_email == (address or ""))

    def _select(self, condition: Any) -> Sequence[_Found]:
        columns = (User.user_id, User.user_name, User.user_email, User.user_newpass_time)
        query = User.select(*columns).where(condition, User.user_email != "")
        rows = self.db.execute(query.order_by(User.user_id).limit(_MAX_ACCOUNTS))
        return [_Found(*row) for row in rows]

    def _may_get_one(self, account: _Found, name: str | None, address: str | None) -> bool:
        if was_made_lately(self.site, account.reset_at):
            return False
        needs_both = stored_options(self.db, account.user_id).get("requireemail", "")
        return needs_both in ("", "0") or bool(name and account.address == address)

    def _send(self, account: _Found) -> None:
        password, site = make(self.site, account.user_id), self.site.config.site.name
        text = _TEXT.format(name=account.name, site=site, password=password)
        receiver = Mailbox(account.user_id, account.address)
        post(self.site, WIKI, receiver, f"Temporary password for {site}", text)
