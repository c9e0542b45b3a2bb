"""Change tags: what revisions, log entries and recent changes are marked with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.batches import fetch_in
from wikiapi.store.models import ChangeTag, ChangeTagDef
from wikiapi.store.statements import slots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.database import Database


def of_revisions(db: Database, revision_ids: Iterable[int]) -> dict[int, list[str]]:
    """The names of the tags of each revision that has some, in the order of the tags. One query."""
    found: dict[int, list[str]] = {}
    for revision_id, name in fetch_in(db, _of_revisions, revision_ids):
        found.setdefault(revision_id, []).append(name)
    return found


def tagged_revisions(name: str) -> Any:
    """A query of the ids of the revisions with a tag, for the right side of ``in_``."""
    query = ChangeTag.select(ChangeTag.ct_rev_id)
    joined = query.join(ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
    return joined.where((ChangeTagDef.ctd_name == name) & ChangeTag.ct_rev_id.is_null(False))


def _of_revisions(count: int) -> Any:
    query = ChangeTag.select(ChangeTag.ct_rev_id, ChangeTagDef.ctd_name)
    joined = query.join(ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
    return joined.where(ChangeTag.ct_rev_id.in_(slots(count))).order_by(
        ChangeTag.ct_rev_id, ChangeTag.ct_tag_id
    )
