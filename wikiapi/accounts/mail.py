"""Mail: addresses, and the outbox, a table that a separate program reads and sends."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikiapi.site import Site
from wikiapi.store.models.writing import Outbox
from wikiapi.store.write.ids import next_id
from wikiapi.timestamps import compact

_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*", re.ASCII)
_LONGEST_ADDRESS = 255


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


def is_mail_address(text: str) -> bool:
    """Return whether a text has the form of a mail address, as HTML defines it.

    https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
    """
    return len(text) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None
