"""Adding change tags, and checking those that users add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num, plain_list
from wikiapi.store import Database
from wikiapi.store.models import ChangeTag, ChangeTagDef
from wikiapi.store.write.ids import change_tags, insert_missing

_Change = tuple[int | None, int | None, int | None]
"""The ids of a recent change, a log entry and a revision."""
_NONE: Mapping[str, str] = MappingProxyType({})


def defined_tags(db: Database) -> list[str]:
    """Return the tags that users may add, in alphabetical order. One query."""
    query = ChangeTagDef.select(ChangeTagDef.ctd_name).where(ChangeTagDef.ctd_user_defined == 1)
    return [name for (name,) in db.execute(query.order_by(ChangeTagDef.ctd_name))]


def check_tags(db: Database, tags: Sequence[str]) -> None:
    """Refuse tags that are not defined for use by users.

    Raises:
        ApiError: ``badtags``.
    """
    if not tags:
        return
    defined = ChangeTagDef.select(ChangeTagDef.ctd_name).where(
        ChangeTagDef.ctd_name.in_(list(tags)), ChangeTagDef.ctd_user_defined == 1
    )
    allowed = {name for (name,) in db.execute(defined)}
    refused = [tag for tag in tags if tag not in allowed]
    if refused:
        key = "tags-apply-not-allowed-one" if len(refused) == 1 else "tags-apply-not-allowed-multi"
        message = Message(key, (plain_list(refused), Num(len(refused))))
        raise ApiError("badtags", message, data={"disallowedtags": refused})


def tag_change(
    db: Database,
    tags: Iterable[str],
    *,
    change_id: int = 0,
    revision_id: int = 0,
    log_id: int = 0,
    params: Mapping[str, str] = _NONE,
) -> None:
    """Add tags to a change, and update their counters.

    Args:
        db: the store.
        tags: the names of the tags.
        change_id: the id of the recent change; 0 for none.
        revision_id: the id of the revision; 0 for none.
        log_id: the id of the log entry; 0 for none.
        params: parameters to store with tags, by tag.
    """
    names = list(dict.fromkeys(tags))
    if names:
        _insert(db, names, [(change_id or None, log_id or None, revision_id or None)], params)


def tag_revisions(db: Database, tag: str, change_ids: Mapping[int, int], params: str) -> None:
    """Add a tag to revisions that do not have it. Three statements, and two more for a new tag.

    Args:
        db: the store.
        tag: the name of the tag.
        change_ids: the id of the recent change of each revision; 0 for none.
        params: the parameters to store with the tag.
    """
    if change_ids:
        changes = [(change_ids[key] or None, None, key) for key in sorted(change_ids)]
        _insert(db, [tag], changes, {tag: params})


def _insert(
    db: Database, names: Sequence[str], changes: Sequence[_Change], params: Mapping[str, str]
) -> None:
    ids = change_tags(db).ids(names)
    pairs = [(*change, params.get(name), ids[name]) for name in names for change in changes]
    columns = ("ct_rc_id", "ct_log_id", "ct_rev_id", "ct_params", "ct_tag_id")
    insert_missing(db, ChangeTag.ct_id, pairs, columns)
    counted = ChangeTagDef.update(ctd_count=ChangeTagDef.ctd_count + len(changes))
    db.execute_write(counted.where(ChangeTagDef.ctd_name.in_(names)))
