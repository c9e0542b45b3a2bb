"""Recent changes, log entries and their tags."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import (
    BigUInt,
    Binary,
    Chars,
    Int,
    Long,
    Serial,
    Small,
    Timestamp,
    UInt,
    USmall,
)
from wikiapi.store.models.base import MediaWikiModel, index, unique


class RecentChanges(MediaWikiModel):
    """The changes of the last weeks.

    ``rc_source`` is ``mw.edit``, ``mw.new``, ``mw.log``, ``mw.categorize`` or a value of an
    extension; ``rc_type`` is the older number for it. ``rc_patrolled`` is 0, 1 or 2 (patrolled
    automatically). ``rc_ip`` is private. ``rc_deleted`` has the bits of rev_deleted or log_deleted.
    """

    rc_id = Serial()
    rc_timestamp = Timestamp()
    rc_actor = BigUInt()
    rc_namespace = Int(default=0)
    rc_title = Binary(default="")
    rc_comment_id = BigUInt()
    rc_minor = USmall(default=0)
    rc_bot = USmall(default=0)
    rc_cur_id = UInt(default=0)
    rc_this_oldid = UInt(default=0)
    rc_last_oldid = UInt(default=0)
    rc_type = USmall(default=0)
    rc_source = Binary(16)
    rc_patrolled = USmall(default=0)
    rc_ip = Binary(40, default="")
    rc_old_len = Int(null=True)
    rc_new_len = Int(null=True)
    rc_deleted = USmall(default=0)
    rc_logid = UInt(default=0)
    rc_log_type = Binary(32, null=True)
    rc_log_action = Binary(32, null=True)
    rc_params = Long(null=True)

    class Meta:
        table_name = "recentchanges"
        named_indexes = (
            index("rc_timestamp", "rc_timestamp"),
            index("rc_namespace_title_timestamp", "rc_namespace", "rc_title", "rc_timestamp"),
            index("rc_cur_id", "rc_cur_id"),
            index("rc_source_name_timestamp", "rc_source", "rc_namespace", "rc_timestamp"),
            index("rc_ip", "rc_ip"),
            index("rc_ns_actor", "rc_namespace", "rc_actor"),
            index("rc_actor", "rc_actor", "rc_timestamp"),
            index(
                "rc_name_type_patrolled_timestamp",
                "rc_namespace",
                "rc_type",
                "rc_patrolled",
                "rc_timestamp",
            ),
            index(
                "rc_name_source_patrolled_timestamp",
                "rc_namespace",
                "rc_source",
                "rc_patrolled",
                "rc_timestamp",
            ),
            index("rc_this_oldid", "rc_this_oldid"),
        )


class ChangeTag(MediaWikiModel):
    """A tag of a change, with the ids of its recent change, log entry and revision, if any."""

    ct_id = Serial()
    ct_rc_id = BigUInt(null=True)
    ct_log_id = UInt(null=True)
    ct_rev_id = UInt(null=True)
    ct_params = Long(null=True)
    ct_tag_id = UInt()

    class Meta:
        table_name = "change_tag"
        named_indexes = (
            unique("ct_rc_tag_id", "ct_rc_id", "ct_tag_id"),
            unique("ct_log_tag_id", "ct_log_id", "ct_tag_id"),
            unique("ct_rev_tag_id", "ct_rev_id", "ct_tag_id"),
            index("ct_tag_id_id", "ct_tag_id", "ct_rc_id", "ct_rev_id", "ct_log_id"),
        )


class ChangeTagDef(MediaWikiModel):
    """The name of a tag, and how often it is used."""

    ctd_id = Serial()
    ctd_name = Binary()
    ctd_user_defined = Small()
    ctd_count = BigUInt(default=0)

    class Meta:
        table_name = "change_tag_def"
        named_indexes = (
            unique("ctd_name", "ctd_name"),
            index("ctd_count", "ctd_count"),
            index("ctd_user_defined", "ctd_user_defined"),
        )


class Logging(MediaWikiModel):
    """A log entry.

    ``log_params`` is serialised by PHP (``a:1:{...}``); in the oldest entries it is lines of text.
    ``log_deleted`` is a bit field: 1 action, 2 comment, 4 user, 8 restricted.
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
    """A further value to find a log entry by, such as a revision that it is about."""

    ls_field = Binary(32)
    ls_value = Chars(255)
    ls_log_id = UInt(default=0)

    class Meta:
        table_name = "log_search"
        primary_key = CompositeKey("ls_field", "ls_value", "ls_log_id")
        named_indexes = (index("ls_log_id", "ls_log_id"),)
