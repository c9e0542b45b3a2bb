# ruff: noqa: D106
"""Blocks."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Int, Serial, Small, Timestamp, UInt
from wikiapi.store.models.base import MediaWikiModel, index


class Block(MediaWikiModel):
    """A block of a target.

    ``bl_expiry`` is ``infinity`` or a timestamp. ``bl_deleted`` hides the name of the target
    everywhere. ``bl_parent_block_id`` is set for autoblocks. ``bl_sitewide`` is 0 for partial
    blocks, whose extent is in ipblocks_restrictions.
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
    """What is blocked: an account (``bt_user``), or an address or range (``bt_address``).

    The hexadecimal forms are those of ip_changes. ``bt_auto`` marks autoblocks, whose address must
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
    """What a partial block covers: ``ir_type`` 1 a page, 2 a namespace, 3 an action."""

    ir_ipb_id = UInt()
    ir_type = Small()
    ir_value = UInt()

    class Meta:
        table_name = "ipblocks_restrictions"
        primary_key = CompositeKey("ir_ipb_id", "ir_type", "ir_value")
        named_indexes = (index("ir_type_value", "ir_type", "ir_value"),)
