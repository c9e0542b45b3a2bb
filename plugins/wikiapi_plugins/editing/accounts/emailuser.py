"""``action=emailuser``: mail between users."""

from __future__ import annotations

from wikiapi.accounts import Mail, Mailbox, blocks_on, canonical_name, mail, option, stored_options
from wikiapi.api import Obj, WriteAction, boolean, string, text
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.store.models import User


class EmailUser(WriteAction):
    """Send mail to a user."""

    name = "emailuser"
    position = 36
    params = (
        string("target", "The user.", required=True),
        string("subject", "Subject line.", required=True),
        text("text", "The mail.", required=True),
        boolean("ccme", "Send a copy to me."),
    )
    examples = (
        (
            "action=emailuser&target=WikiSysop&subject=Hello&text=Content&token=123ABC",
            "Send a mail",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Email",)

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
        mail.post(self.site, *mails)
        self.result.set((), self.name, Obj({"result": "Success"}))

    def _sender(self) -> Mailbox:
        """Return the mailbox of the request's user.

        Raises:
            ApiError: ``usermaildisabled``, ``cantsend`` or ``blockedfrommail``.
        """
        user = self.context.user
        if not self.site.config.editing.email:
            raise ApiError("usermaildisabled", "usermaildisabled")
        row = self._confirmed(User.user_id == user.id) if not user.is_anonymous else None
        if row is None:
            raise ApiError("cantsend", "mailnologin")
        self.require_right("sendemail")
        if any(block.block_email for block in blocks_on(self.context.performer)):
            raise ApiError("blockedfrommail", "blockedemailuser")
        return row

    def _target(self) -> Mailbox:
        """Return the mailbox of the recipient.

        Raises:
            ApiError: ``notarget``, ``noemailtext`` or ``nowikiemailtext``.
        """
        name = canonical_name(self.site, self.p.text("target"))
        accounts = User.select(User.user_id).where(User.user_name == (name or ""))
        if name is None or self.db.scalar(accounts) is None:
            raise ApiError("notarget", "emailnotarget", Plain(self.p.text("target")))
        row = self._confirmed(User.user_name == name)
        if row is None:
            raise ApiError("noemailtext", "noemailtext")
        if stored_options(self.db, row.user_id).get("disablemail", "") not in ("", "0"):
            raise ApiError("nowikiemailtext", "nowikiemailtext")
        return row

    def _confirmed(self, condition: object) -> Mailbox | None:
        """Return the mailbox of the matching account; ``None`` if its address is unconfirmed."""
        query = User.select(User.user_id, User.user_email).where(
            condition, User.user_email != "", User.user_email_authenticated.is_null(False)
        )
        row = self.db.row(query)
        return Mailbox(row[0], row[1]) if row else None
