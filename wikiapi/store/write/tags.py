"""Writes change tags of revisions."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.store.database import Database
from wikiapi.store.models import ChangeTag
from wikiapi.store.write.ids import change_tags


def tag_revisions(db: Database, tags: Iterable[tuple[int, str]]) -> None:
    """Add tags to revisions, given as (revision id, tag); existing ones are ignored.

    Call ``recount_tags`` afterwards to update their numbers of uses.
    """
    pairs = list(dict.fromkeys(tags))
    with db.atomic():
        ids = change_tags(db).ids(tag for _, tag in pairs)
        rows = [(rev_id, ids[tag]) for rev_id, tag in pairs]
        db.insert_many(ChangeTag, rows, ["ct_rev_id", "ct_tag_id"], on_conflict="ignore")
