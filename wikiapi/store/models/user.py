# ruff: noqa: D106
"""Accounts."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import Binary, Long, Serial, Small, Timestamp, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class User(MediaWikiModel):
    """An account. All but name, registration, edit count and kind is private."""

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
    """Membership in groups; ``ug_expiry`` is NULL for ever."""

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
    """Groups that a user was once in."""

    ufg_user = UInt(default=0)
    ufg_group = Binary(default="")

    class Meta:
        table_name = "user_former_groups"
        primary_key = CompositeKey("ufg_user", "ufg_group")


class UserProperties(MediaWikiModel):
    """Preferences that differ from the default. Private but for a few such as ``gender``."""

    up_user = UInt()
    up_property = Binary()
    up_value = Long(null=True)

    class Meta:
        table_name = "user_properties"
        primary_key = CompositeKey("up_user", "up_property")
        named_indexes = (index("up_property", "up_property"),)
