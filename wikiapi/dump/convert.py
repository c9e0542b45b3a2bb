"""Records of a dump to rows of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.write.people import Person
from wikiapi.store.write.revisions import NewPage, NewRevision, NewSlot
from wikiapi.store.write.sha1 import combined_sha1, sha1_base36

if TYPE_CHECKING:
    from wikiapi.dump.records import Contributor, DumpRevision, DumpSlot

_DEFAULT_MODEL = "wikitext"
# Spreads consecutive ids evenly over the unit interval, the same on every import.
_GOLDEN = 0.6180339887498949


def new_revision(revision: DumpRevision, page_id: int) -> NewRevision:
    """The rows of a revision."""
    main = new_slot(revision.slots[0], revision.id)
    slots: tuple[NewSlot, ...] = (main,)
    size, sha1 = main.size, main.sha1
    if len(revision.slots) > 1:
        slots = tuple(new_slot(slot, revision.id) for slot in revision.slots)
        size = sum(slot.size for slot in slots)
        sha1 = combined_sha1({slot.role: slot.sha1 for slot in slots})
    return NewRevision(
        revision.id,
        page_id,
        revision.parent_id,
        revision.timestamp,
        int(revision.minor),
        revision.hidden,
        person(revision.contributor),
        revision.comment,
        size,
        sha1,
        slots,
    )


def new_slot(slot: DumpSlot, revision: int) -> NewSlot:
    """The rows of a slot. Size and hash are trusted only for a text that the dump withholds."""
    model = slot.model or _DEFAULT_MODEL
    origin = slot.origin if slot.origin != revision else 0
    if slot.absent:
        return NewSlot(slot.role, model, "", slot.size or 0, slot.sha1, origin)
    data = slot.text.encode()
    return NewSlot(slot.role, model, slot.text, len(data), sha1_base36(data), origin)


def person(contributor: Contributor) -> Person:
    """Who acted, as the store knows people."""
    return Person(contributor.user_id, contributor.name)


def new_page(
    page_id: int, key: tuple[int, str], latest: DumpRevision, length: int, *, redirect: bool
) -> NewPage:
    """The row of a page whose latest revision is known; its links have still to be derived."""
    return NewPage(
        page_id,
        *key,
        int(redirect),
        int(not latest.parent_id),
        round(page_id * _GOLDEN % 1, 12),
        latest.timestamp,
        None,
        latest.id,
        length,
        latest.main.model or _DEFAULT_MODEL,
        None,
    )
