# ruff: noqa: D106
"""The public logs."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Chars, Int, Long, Serial, Timestamp, UInt, USmall
from wikiapi.store.models.base import MediaWikiModel, index


class Logging(MediaWikiModel):
    """A log entry.

    ``log_params`` is PHP's serialised form (``a:1:{...}``), in the oldest entries lines of text.
    ``log_deleted`` has bits: 1 action, 2 comment, 4 user, 8 restricted.
    """

    log_id = Serial()
    log_type = Binary(32, default="")
    log_action = Binary(32, default="")
    log_timestamp = Timestamp(default="19700101000000")
    log_actor = BigUInt()
    log_namespace = Int(default=0)
    log_title = Binary(default="")
    log_page = UInt(null=True)
    log_comment_id = BigUInt()
    log_params = Long()
    log_deleted = USmall(default=0)

    class Meta:
        table_name = "logging"
        named_indexes = (
            index("log_type_time", "log_type", "log_timestamp"),
            index("log_actor_time", "log_actor", "log_timestamp"),
            index("log_page_time", "log_namespace", "log_title", "log_timestamp"),
            index("log_times", "log_timestamp"),
            index("log_actor_type_time", "log_actor", "log_type", "log_timestamp"),
            index("log_page_id_time", "log_page", "log_timestamp"),
            index("log_type_action", "log_type", "log_action", "log_timestamp"),
        )


class LogSearch(MediaWikiModel):
    """Other keys to log entries, for instance the revisions that an entry is about."""

    ls_field = Binary(32)
    ls_value = Chars(255)
    ls_log_id = UInt(default=0)

    class Meta:
        table_name = "log_search"
        primary_key = CompositeKey("ls_field", "ls_value", "ls_log_id")
        named_indexes = (index("ls_log_id", "ls_log_id"),)
