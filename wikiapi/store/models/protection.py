# ruff: noqa: D106
"""Protection."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Int, Serial, Small, Timestamp, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class PageRestrictions(MediaWikiModel):
    """A page's protection: ``pr_type`` is an action, ``pr_level`` the group or right needed."""

    pr_id = Serial()
    pr_page = UInt()
    pr_type = Binary(60)
    pr_level = Binary(60)
    pr_cascade = Small()
    pr_expiry = Timestamp(null=True)

    class Meta:
        table_name = "page_restrictions"
        named_indexes = (
            unique("pr_pagetype", "pr_page", "pr_type"),
            index("pr_typelevel", "pr_type", "pr_level"),
            index("pr_level", "pr_level"),
            index("pr_cascade", "pr_cascade"),
        )


class ProtectedTitles(MediaWikiModel):
    """Titles protected against creation. ``pt_create_perm`` is the right needed."""

    pt_namespace = Int()
    pt_title = Binary()
    pt_user = UInt()
    pt_reason_id = BigUInt()
    pt_timestamp = Timestamp()
    pt_expiry = Timestamp()
    pt_create_perm = Binary(60)

    class Meta:
        table_name = "protected_titles"
        primary_key = CompositeKey("pt_namespace", "pt_title")
        named_indexes = (index("pt_timestamp", "pt_timestamp"),)
