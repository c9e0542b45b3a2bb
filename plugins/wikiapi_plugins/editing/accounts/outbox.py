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


def post(site: Site, sender: Mailbox, receiver: Mailbox, subject: str, text: str) -> None:
    """Put a mail into the outbox."""
    row = (
        *(next_id(site.db, Outbox.ob_id), compact(site.clock()), sender.user_id, receiver.user_id),
        *(sender.address, receiver.address, subject, text),
    )
    site.db.insert_many(Outbox, [row])
