"""The outbox: a table of mail, which a separate program reads and sends."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api import compact
from wikiapi.site import Site
from wikiapi.store.write.ids import next_id
from wikiapi_plugins.editing.tables import Outbox


class Mailbox(NamedTuple):
    """The sender or recipient of a mail; the wiki itself has neither an id nor an address."""

    user_id: int = 0
    address: str = ""


WIKI = Mailbox()


class Mail(NamedTuple):
    """A mail to send."""

    sender: Mailbox
    receiver: Mailbox
    subject: str
    text: str


def post(site: Site, *mails: Mail) -> None:
    """Put mails into the outbox. Two statements."""
    first, now = next_id(site.db, Outbox.ob_id), compact(site.clock())
    rows = [
        (
            *(number, now, mail.sender.user_id, mail.receiver.user_id),
            *(mail.sender.address, mail.receiver.address, mail.subject, mail.text),
        )
        for number, mail in enumerate(mails, first)
    ]
    site.db.insert_many(Outbox, rows)


def discard_undeliverable(site: Site) -> None:
    """Delete the mails of the outbox that have no receiver."""
    undeliverable = Outbox.delete().where(Outbox.ob_to_user == 0, Outbox.ob_to == "")
    site.db.execute_write(undeliverable)
