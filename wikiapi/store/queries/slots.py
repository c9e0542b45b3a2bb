"""The contents of revisions by slot role."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.models import Content, ContentModels, SlotRoles, Slots
from wikiapi.store.sql.compiled import ByValues

MAIN = "main"


class SlotRow(NamedTuple):
    """A slot. ``size`` is in bytes, ``sha1`` in base 36; ``origin`` is the revision that added it.

    Visibility is not considered here: callers that show a slot must check the revision's bits.
    """

    revision_id: int
    role: str
    model: str
    size: int
    sha1: str
    address: str
    origin: int
    content_id: int


_SLOTS = ByValues(
    Slots.select(
        Slots.slot_revision_id,
        SlotRoles.role_name,
        ContentModels.model_name,
        Content.content_size,
        Content.content_sha1,
        Content.content_address,
        Slots.slot_origin,
        Content.content_id,
    )
    .join_from(Slots, SlotRoles, on=(SlotRoles.role_id == Slots.slot_role_id))
    .join_from(Slots, Content, on=(Content.content_id == Slots.slot_content_id))
    .join_from(Content, ContentModels, on=(ContentModels.model_id == Content.content_model))
    .order_by(Slots.slot_revision_id, Slots.slot_role_id),
    Slots.slot_revision_id,
)


def of_revisions(db: Database, revision_ids: Iterable[int]) -> dict[int, dict[str, SlotRow]]:
    """Return the slots of each revision, deleted or not, by role, main first. One query."""
    slots: dict[int, dict[str, SlotRow]] = {}
    for row in _SLOTS.rows(db, revision_ids):
        slot = SlotRow(*row)
        slots.setdefault(slot.revision_id, {})[slot.role] = slot
    return slots
