# ruff: noqa: D106
"""Who acts and what they say about it."""

from __future__ import annotations

from wikiapi.store.fields import Binary, Int, Long, Serial, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Actor(MediaWikiModel):
    """Whoever acts: an account, an IP address, someone of another wiki.

    ``actor_user`` is NULL for all but accounts of this wiki. ``actor_name`` is with spaces, as
    shown.
    """

    actor_id = Serial()
    actor_user = UInt(null=True)
    actor_name = Binary()

    class Meta:
        table_name = "actor"
        named_indexes = (
            unique("actor_user", "actor_user"),
            unique("actor_name", "actor_name"),
        )


class Comment(MediaWikiModel):
    """A summary or reason, one row for each that differs.

    ``comment_hash`` is the CRC-32 of text and data as a signed integer of 32 bits. ``comment_data``
    is NULL but for comments that are made from a message (JSON).
    """

    comment_id = Serial()
    comment_hash = Int()
    comment_text = Long()
    comment_data = Long(null=True)

    class Meta:
        table_name = "comment"
        named_indexes = (index("comment_hash", "comment_hash"),)
