# ruff: noqa: D106
"""TODO content."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Payload, Serial, UInt, USmall
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Slots(MediaWikiModel):
    """TODO."""

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
    """TODO."""

    role_id = Serial()
    role_name = Binary(64)

    class Meta:
        table_name = "slot_roles"
        named_indexes = (unique("role_name", "role_name"),)


class Content(MediaWikiModel):
    """TODO."""

    content_id = Serial()
    content_size = UInt()
    content_sha1 = Binary(32)
    content_model = USmall()
    content_address = Binary()

    class Meta:
        table_name = "content"


class ContentModels(MediaWikiModel):
    """TODO."""

    model_id = Serial()
    model_name = Binary(64)

    class Meta:
        table_name = "content_models"
        named_indexes = (unique("model_name", "model_name"),)


class Text(MediaWikiModel):
    """TODO."""

    old_id = Serial()
    old_text = Payload()
    old_flags = Binary()

    class Meta:
        table_name = "text"
