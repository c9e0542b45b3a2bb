"""``action=emailuser``: mail between users."""

from __future__ import annotations

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.store.models import User
from wikiapi_plugins.editing.accounts.outbox import Mail, Mailbox, post
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.identity.authentication import canonical_name
from wikiapi_plugins.query.users.currentblocks import blocks_on
from wikiapi_plugins.query.users.preferences import option, stored_options


class EmailUser(WriteAction):
    """Queues a mail to another user for sending."""

    def perform(self) -> None:
        """Put the mail into the outbox, with a copy for the sender if requested.

        Raises:
            ApiError: ``usermaildisabled``, ``cantsend``, ``blockedfrommail``, ``notarget``,
                ``noemailtext`` or ``nowikiemailtext``.
        """
        target, sender = self._target(), self._sender()
        subject, text = self.p.text("subject"), self.p.text("text")
        mails = [Mail(sender, target, subject, text)]
        wants_copy = self.p.flag("ccme") or option(self.context.user, "ccmeonemails")
        if wants_copy and target.user_id != sender.user_id:
            title = f"Copy of your message to {self.p.text('target')}: {subject}"
            mails.append(Mail(sender, sender, title, text))
        post(self.site, *mails)
        self.result.set((), self.name, Obj({"result": "Success"}))

    def _sender(self) -> Mailbox:
        """Return the mailbox of the request's user.

        Raises:
            ApiError: ``usermaildisabled``, ``cantsend`` or ``blockedfrommail``.
        """
        user = self.context.user
        if not self.site.config.editing.email:
            raise ApiError(Message("usermaildisabled"), "usermaildisabled")
        row = self._confirmed(User.user_id == user.id) if not user.is_anonymous else None
        if row is None:
            raise ApiError(Message("mailnologin"), "cantsend")
        self.require_right("sendemail")
        if any(block.block_email for block in blocks_on(self.context)):
            raise ApiError(Message("blockedemailuser"), "blockedfrommail")
        return row

    def _target(self) -> Mailbox:
        """Return the mailbox of the recipient.

        Raises:
            ApiError: ``notarget``, ``noemailtext`` or ``nowikiemailtext``.
        """
        name = canonical_name(self.site, self.p.text("target"))
        known = User.select(User.user_id).where(User.user_name == (name or ""))
        if name is None or self.db.scalar(known) is None:
            raise ApiError(Message("emailnotarget", (Plain(self.p.text("target")),)), "notarget")
        row = self._confirmed(User.user_name == name)
        if row is None:
            raise ApiError(Message("noemailtext"), "noemailtext")
        if stored_options(self.db, row.user_id).get("disablemail", "") not in ("", "0"):
            raise ApiError(Message("nowikiemailtext"), "nowikiemailtext")
        return row

    def _confirmed(self, condition: object) -> Mailbox | None:
        """Return the mailbox of the matching account; ``None`` if its address is unconfirmed."""
        query = User.select(User.user_id, User.user_email).where(
            condition, User.user_email != "", User.user_email_authenticated.is_null(False)
        )
        row = self.db.row(query)
        return Mailbox(row[0], row[1]) if row else None
