# ruff: noqa: D106
"""What the revisions hold."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Payload, Serial, UInt, USmall
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Slots(MediaWikiModel):
    """Which content a revision has in a role.

    ``slot_origin`` is the revision that the content was first written in: an earlier one where this
    revision left the slot alone. Deleted revisions keep their rows.
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
    """Names of roles; ``main`` is the first."""

    role_id = Serial()
    role_name = Binary(64)

    class Meta:
        table_name = "slot_roles"
        named_indexes = (unique("role_name", "role_name"),)


class Content(MediaWikiModel):
    """One content.

    ``content_size`` is in bytes of UTF-8, ``content_sha1`` in base 36 (31 digits),
    ``content_address`` is ``tt:N`` for the row N of text; other prefixes are external stores.
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
    """The texts themselves.

    ``old_flags`` lists how: ``utf-8``, ``gzip`` (bare deflate), ``object`` and ``external``, which
    only MediaWiki reads. On SQLite a plain text is a TEXT value, a compressed one bytes of either
    kind.
    """

    old_id = Serial()
    old_text = Payload()
    old_flags = Binary()

    class Meta:
        table_name = "text"
