"""Accounts, actors, comments, blocks and watchlists."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Int, Long, Serial, Small, Timestamp, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class User(MediaWikiModel):
    """An account. All but its name, registration, edit count and ``user_is_temp`` is private."""

    user_id = Serial()
    user_name = Binary(default="")
    user_real_name = Binary(default="")
    user_password = Long()
    user_newpassword = Long()
    user_newpass_time = Timestamp(null=True)
    user_email = Long()
    user_touched = Timestamp()
    user_token = Binary(32, default="")
    user_email_authenticated = Timestamp(null=True)
    user_email_token = Binary(32, null=True)
    user_email_token_expires = Timestamp(null=True)
    user_registration = Timestamp(null=True)
    user_editcount = UInt(null=True)
    user_password_expires = Timestamp(null=True)
    user_is_temp = Small(default=0)

    class Meta:
        table_name = "user"
        named_indexes = (
            unique("user_name", "user_name"),
            index("user_email_token", "user_email_token"),
            index("user_email", "user_email"),
        )


class UserGroups(MediaWikiModel):
    """Membership in groups; ``ug_expiry`` is NULL if it does not expire."""

    ug_user = UInt(default=0)
    ug_group = Binary(255, default="")
    ug_expiry = Timestamp(null=True)

    class Meta:
        table_name = "user_groups"
        primary_key = CompositeKey("ug_user", "ug_group")
        named_indexes = (
            index("ug_group", "ug_group"),
            index("ug_expiry", "ug_expiry"),
        )


class UserFormerGroups(MediaWikiModel):
    """Groups that users were members of in the past."""

    ufg_user = UInt(default=0)
    ufg_group = Binary(default="")

    class Meta:
        table_name = "user_former_groups"
        primary_key = CompositeKey("ufg_user", "ufg_group")


class UserProperties(MediaWikiModel):
    """Preferences that differ from the default. All but a few such as ``gender`` are private."""

    up_user = UInt()
    up_property = Binary()
    up_value = Long(null=True)

    class Meta:
        table_name = "user_properties"
        primary_key = CompositeKey("up_user", "up_property")
        named_indexes = (index("up_property", "up_property"),)


class Actor(MediaWikiModel):
    """The author of an action: an account, an IP address or a user of another wiki.

    ``actor_user`` is NULL except for accounts of this wiki. ``actor_name`` has spaces, as
    displayed.
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
    """An edit summary or a reason, with one row for each distinct text.

    ``comment_hash`` is the CRC-32 of text and data as a signed integer of 32 bits. ``comment_data``
    is JSON for comments generated from a message, otherwise NULL.
    """

    comment_id = Serial()
    comment_hash = Int()
    comment_text = Long()
    comment_data = Long(null=True)

    class Meta:
        table_name = "comment"
        named_indexes = (index("comment_hash", "comment_hash"),)


class Block(MediaWikiModel):
    """A block of a target.

    ``bl_expiry`` is ``infinity`` or a timestamp. ``bl_deleted`` hides the name of the target
    everywhere. ``bl_parent_block_id`` is set for autoblocks. ``bl_sitewide`` is 0 for partial
    blocks, whose restrictions are in ipblocks_restrictions.
    """

    bl_id = Serial()
    bl_target = UInt()
    bl_by_actor = BigUInt()
    bl_reason_id = BigUInt()
    bl_timestamp = Timestamp()
    bl_anon_only = Small(default=0)
    bl_create_account = Small(default=1)
    bl_enable_autoblock = Small(default=1)
    bl_expiry = Timestamp()
    bl_deleted = Small(default=0)
    bl_block_email = Small(default=0)
    bl_allow_usertalk = Small(default=0)
    bl_parent_block_id = UInt(null=True)
    bl_sitewide = Small(default=1)

    class Meta:
        table_name = "block"
        named_indexes = (
            index("bl_timestamp", "bl_timestamp"),
            index("bl_target", "bl_target"),
            index("bl_expiry", "bl_expiry"),
            index("bl_parent_block_id", "bl_parent_block_id"),
        )


class BlockTarget(MediaWikiModel):
    """The target of blocks: an account (``bt_user``), or an address or range (``bt_address``).

    Hexadecimal addresses are as in ip_changes. ``bt_auto`` marks autoblocks, whose address must
    never be shown.
    """

    bt_id = Serial()
    bt_address = Binary(null=True)
    bt_user = UInt(null=True)
    bt_user_text = Binary(null=True)
    bt_auto = Small(default=0)
    bt_range_start = Binary(35, null=True)
    bt_range_end = Binary(35, null=True)
    bt_ip_hex = Binary(35, null=True)
    bt_count = Int(default=0)

    class Meta:
        table_name = "block_target"
        named_indexes = (
            index("bt_address", "bt_address"),
            index("bt_ip_user_text", "bt_ip_hex", "bt_user_text"),
            index("bt_range", "bt_range_start", "bt_range_end"),
            index("bt_user", "bt_user"),
        )


class IpblocksRestrictions(MediaWikiModel):
    """A restriction of a partial block: ``ir_type`` is 1 for a page, 2 a namespace, 3 an action."""

    ir_ipb_id = UInt()
    ir_type = Small()
    ir_value = UInt()

    class Meta:
        table_name = "ipblocks_restrictions"
        primary_key = CompositeKey("ir_ipb_id", "ir_type", "ir_value")
        named_indexes = (index("ir_type_value", "ir_type", "ir_value"),)


class Watchlist(MediaWikiModel):
    """The pages on users' watchlists, which are private."""

    wl_id = Serial()
    wl_user = UInt()
    wl_namespace = Int(default=0)
    wl_title = Binary(default="")
    wl_notificationtimestamp = Timestamp(null=True)

    class Meta:
        table_name = "watchlist"
        named_indexes = (
            unique("wl_user", "wl_user", "wl_namespace", "wl_title"),
            index("wl_namespace_title", "wl_namespace", "wl_title"),
            index("wl_user_notificationtimestamp", "wl_user", "wl_notificationtimestamp"),
        )
