"""Pages, revisions and their contents, and protection."""

from __future__ import annotations

from typing import ClassVar

from peewee import CompositeKey

from wikiapi.store.fields import (
    BigUInt,
    Binary,
    Chars,
    Double,
    Int,
    Long,
    Payload,
    Serial,
    Small,
    Timestamp,
    UInt,
    USmall,
)
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Page(MediaWikiModel):
    """A page.

    ``page_title`` is the database key: underscores for spaces, no namespace. ``page_touched`` is
    the time when its rendering last became invalid, ``page_links_updated`` the time when its links
    were last derived. ``page_random`` is between 0 and 1 with 12 digits. ``page_len`` is the length
    of the latest revision in bytes. ``page_content_model`` and ``page_lang`` are NULL for the
    default.
    """

    page_id = Serial()
    page_namespace = Int()
    page_title = Binary()
    page_is_redirect = USmall(default=0)
    page_is_new = USmall(default=0)
    page_random = Double()
    page_touched = Timestamp()
    page_links_updated = Timestamp(null=True)
    page_latest = UInt()
    page_len = UInt()
    page_content_model = Binary(32, null=True)
    page_lang = Binary(35, null=True)

    class Meta:
        table_name = "page"
        named_indexes = (
            unique("page_name_title", "page_namespace", "page_title"),
            index("page_random", "page_random"),
            index("page_len", "page_len"),
            index("page_redirect_namespace_len", "page_is_redirect", "page_namespace", "page_len"),
        )


class PageProps(MediaWikiModel):
    """Properties of pages. ``pp_sortkey`` is the value as a number if pages are sorted by it."""

    pp_page = UInt()
    pp_propname = Binary(60)
    pp_value = Long()
    pp_sortkey = Double(null=True)

    class Meta:
        table_name = "page_props"
        primary_key = CompositeKey("pp_page", "pp_propname")
        named_indexes = (
            unique("pp_propname_page", "pp_propname", "pp_page"),
            unique("pp_propname_sortkey_page", "pp_propname", "pp_sortkey", "pp_page"),
        )


class Redirect(MediaWikiModel):
    """The target of a redirect. ``rd_interwiki`` and ``rd_fragment`` are empty if there is none."""

    rd_from = UInt(default=0, key=True)
    rd_namespace = Int(default=0)
    rd_title = Binary(default="")
    rd_interwiki = Chars(32, null=True)
    rd_fragment = Binary(null=True)

    class Meta:
        table_name = "redirect"
        named_indexes = (index("rd_ns_title", "rd_namespace", "rd_title", "rd_from"),)


class Revision(MediaWikiModel):
    """A revision.

    ``rev_sha1`` is in base 36 (31 digits); it is the hash of the main slot if there is no other.
    ``rev_len`` is in bytes. ``rev_parent_id`` is 0 for the first revision. ``rev_deleted`` is a bit
    field: 1 text, 2 comment, 4 user, 8 restricted.
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
    """A revision of a deleted page, with the columns of revision.

    Its slots, contents and texts remain in their tables.
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
        # The columns with ids that new rows of other tables must not get.
        numbers_of_others: ClassVar = {
            "ar_rev_id": ("revision", "rev_id"),
            "ar_page_id": ("page", "page_id"),
        }
        named_indexes = (
            index("ar_name_title_timestamp", "ar_namespace", "ar_title", "ar_timestamp"),
            index("ar_actor_timestamp", "ar_actor", "ar_timestamp"),
            unique("ar_revid_uniq", "ar_rev_id"),
        )


class IpChanges(MediaWikiModel):
    """Revisions made by IP addresses.

    ``ipc_hex`` is the address in 8 hexadecimal digits, or ``v6-`` and 32 digits.
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


class Slots(MediaWikiModel):
    """The content that a revision has in a role.

    ``slot_origin`` is the revision in which the content was first saved, an earlier one if this
    revision did not change the slot. Rows of deleted revisions remain.
    """

    slot_revision_id = BigUInt()
    slot_role_id = USmall()
    slot_content_id = BigUInt()
    slot_origin = BigUInt()

    class Meta:
        table_name = "slots"
        primary_key = CompositeKey("slot_revision_id", "slot_role_id")
        named_indexes = (
            index("slot_revision_origin_role", "slot_revision_id", "slot_origin", "slot_role_id"),
        )


class SlotRoles(MediaWikiModel):
    """Names of slot roles; ``main`` is the first."""

    role_id = Serial()
    role_name = Binary(64)

    class Meta:
        table_name = "slot_roles"
        named_indexes = (unique("role_name", "role_name"),)


class Content(MediaWikiModel):
    """The content of a slot.

    ``content_size`` is in bytes of UTF-8 and ``content_sha1`` in base 36 (31 digits).
    ``content_address`` is ``tt:N`` for row N of text; other prefixes refer to external stores.
    """

    content_id = Serial()
    content_size = UInt()
    content_sha1 = Binary(32)
    content_model = USmall()
    content_address = Binary()

    class Meta:
        table_name = "content"


class ContentModels(MediaWikiModel):
    """Names of content models: ``wikitext``, ``Scribunto``, ``css``, ..."""

    model_id = Serial()
    model_name = Binary(64)

    class Meta:
        table_name = "content_models"
        named_indexes = (unique("model_name", "model_name"),)


class Text(MediaWikiModel):
    """A stored text.

    ``old_flags`` lists how it is stored: ``utf-8``, ``gzip`` (raw deflate), ``object`` and
    ``external``, which only MediaWiki can read. On SQLite a plain text is a TEXT value; a
    compressed one is a BLOB, or bytes in a TEXT value.
    """

    old_id = Serial()
    old_text = Payload()
    old_flags = Binary()

    class Meta:
        table_name = "text"


class PageRestrictions(MediaWikiModel):
    """A page's protection: ``pr_type`` is an action, ``pr_level`` the group or right required."""

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
    """Titles protected from creation. ``pt_create_perm`` is the right required to create them."""

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
