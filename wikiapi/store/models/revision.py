# ruff: noqa: D106
"""Revisions, live and deleted."""

from __future__ import annotations

from wikiapi.store.fields import BigUInt, Binary, Int, Serial, Small, Timestamp, UInt, USmall
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Revision(MediaWikiModel):
    """A revision.

    ``rev_sha1`` is in base 36 (31 digits): the main slot's hash if that is the only one.
    ``rev_len`` is in bytes. ``rev_parent_id`` is 0 for the first. ``rev_deleted`` has bits:
    1 text, 2 comment, 4 user, 8 restricted.
    """

    rev_id = Serial()
    rev_page = UInt()
    rev_comment_id = BigUInt()
    rev_actor = BigUInt()
    rev_timestamp = Timestamp()
    rev_minor_edit = USmall(default=0)
    rev_deleted = USmall(default=0)
    rev_len = UInt(null=True)
    rev_parent_id = BigUInt(null=True)
    rev_sha1 = Binary(32, default="")

    class Meta:
        table_name = "revision"
        named_indexes = (
            index("rev_timestamp", "rev_timestamp"),
            index("rev_page_timestamp", "rev_page", "rev_timestamp"),
            index("rev_actor_timestamp", "rev_actor", "rev_timestamp", "rev_id"),
            index("rev_page_actor_timestamp", "rev_page", "rev_actor", "rev_timestamp"),
        )


class Archive(MediaWikiModel):
    """A revision of a deleted page; columns as in revision.

    Its slots, contents and text stay where they were.
    """

    ar_id = Serial()
    ar_namespace = Int(default=0)
    ar_title = Binary(default="")
    ar_comment_id = BigUInt()
    ar_actor = BigUInt()
    ar_timestamp = Timestamp()
    ar_minor_edit = Small(default=0)
    ar_rev_id = UInt()
    ar_deleted = USmall(default=0)
    ar_len = UInt(null=True)
    ar_page_id = UInt(null=True)
    ar_parent_id = UInt(null=True)
    ar_sha1 = Binary(32, default="")

    class Meta:
        table_name = "archive"
        named_indexes = (
            index("ar_name_title_timestamp", "ar_namespace", "ar_title", "ar_timestamp"),
            index("ar_actor_timestamp", "ar_actor", "ar_timestamp"),
            unique("ar_revid_uniq", "ar_rev_id"),
        )


class IpChanges(MediaWikiModel):
    """Revisions by IP addresses.

    ``ipc_hex`` is the address in eight hexadecimal digits, or ``v6-`` and 32.
    """

    ipc_rev_id = UInt(default=0, key=True)
    ipc_rev_timestamp = Timestamp()
    ipc_hex = Binary(35, default="")

    class Meta:
        table_name = "ip_changes"
        named_indexes = (
            index("ipc_rev_timestamp", "ipc_rev_timestamp"),
            index("ipc_hex_time", "ipc_hex", "ipc_rev_timestamp"),
        )
