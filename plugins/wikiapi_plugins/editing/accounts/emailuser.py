"""``action=emailuser``: mail between users, which another program takes out of the database."""

from __future__ import annotations

from wikiapi.api import Obj, compact
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.store.models import User
from wikiapi.store.write.ids import next_id
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.identity.authentication import canonical_name
from wikiapi_plugins.editing.tables import Outbox
from wikiapi_plugins.query.users.currentblocks import blocks_on
from wikiapi_plugins.query.users.preferences import option, stored_options


class EmailUser(WriteAction):
    """Keeps a mail to a user for sending."""

    def perform(self) -> None:
        """Put the mail, and a copy to the sender if one is wanted, into the outbox.

        Raises:
            ApiError: ``usermaildisabled``, ``cantsend``, ``blockedfrommail``, ``notarget``,
                ``noemailtext`` or ``nowikiemailtext``.
        """
        target_id, address = self._target()
        sender = self._sender()
        subject, text = self.p.text("subject"), self.p.text("text")
        self._put(sender, address, subject, text, target_id)
        wants_copy = self.p.flag("ccme") or option(self.context.user, "ccmeonemails")
        if wants_copy and target_id != self.context.user.id:
            title = f"Copy of your message to {self.p.text('target')}: {subject}"
            self._put(sender, sender, title, text, self.context.user.id)
        self.result.set((), self.name, Obj({"result": "Success"}))

    def _sender(self) -> str:
        """Return the confirmed address of the user."""
        user = self.context.user
        if not self.site.config.editing.email:
            raise ApiError(Message("usermaildisabled"), "usermaildisabled")
        row = self._confirmed(User.user_id == user.id) if not user.is_anonymous else None
        if row is None:
            raise ApiError(Message("mailnologin"), "cantsend")
        self.require_right("sendemail")
        if any(block.block_email for block in blocks_on(self.context)):
            raise ApiError(Message("blockedemailuser"), "blockedfrommail")
        return row[1]

    def _target(self) -> tuple[int, str]:
        """Return id and address of who is to receive the mail."""
        name = canonical_name(self.site, self.p.text("target"))
        known = User.select(User.user_id).where(User.user_name == (name or ""))
        if name is None or self.db.scalar(known) is None:
            raise ApiError(Message("emailnotarget", (Plain(self.p.text("target")),)), "notarget")
        row = self._confirmed(User.user_name == name)
        if row is None:
            raise ApiError(Message("noemailtext"), "noemailtext")
        if stored_options(self.db, row[0]).get("disablemail", "") not in ("", "0"):
            raise ApiError(Message("nowikiemailtext"), "nowikiemailtext")
        return row

    def _confirmed(self, condition: object) -> tuple[int, str] | None:
        """Return id and address of an account whose address is confirmed."""
        query = User.select(User.user_id, User.user_email).where(
            condition, User.user_email != "", User.user_email_authenticated.is_null(False)
        )
        row = self.db.row(query)
        return (row[0], row[1]) if row else None

    def _put(self, sender: str, address: str, subject: str, text: str, user_id: int) -> None:
        moment = compact(self.context.now)
        number = next_id(self.db, Outbox.ob_id)
        row = (number, moment, self.context.user.id, user_id, sender, address, subject, text)
        self.db.insert_many(Outbox, [row])
