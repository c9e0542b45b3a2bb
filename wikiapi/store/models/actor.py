# ruff: noqa: D106
"""TODO actor."""

from __future__ import annotations

from wikiapi.store.fields import Binary, Int, Long, Serial, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Actor(MediaWikiModel):
    """TODO."""

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
    """TODO."""

    comment_id = Serial()
    comment_hash = Int()
    comment_text = Long()
    comment_data = Long(null=True)

    class Meta:
        table_name = "comment"
        named_indexes = (index("comment_hash", "comment_hash"),)
