"""Change tags: what revisions, log entries and recent changes are marked with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.batches import fetch_in
from wikiapi.store.models import ChangeTag, ChangeTagDef
from wikiapi.store.statements import slots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wikiapi.store.database import Database


def of_revisions(db: Database, revision_ids: Iterable[int]) -> dict[int, list[str]]:
    """The names of the tags of each revision that has some, in the order of the tags. One query."""
    return _grouped(db, _of_revisions, revision_ids)


def of_log_entries(db: Database, log_ids: Iterable[int]) -> dict[int, list[str]]:
    """The same of log entries. One query."""
    return _grouped(db, _of_log_entries, log_ids)


def of_recent_changes(db: Database, change_ids: Iterable[int]) -> dict[int, list[str]]:
    """The same of recent changes. One query."""
    return _grouped(db, _of_recent_changes, change_ids)


def tagged_revisions(name: str) -> Any:
    """A query of the ids of the revisions with a tag, for the right side of ``in_``."""
    return _tagged(ChangeTag.ct_rev_id, name)


def tagged_log_entries(name: str) -> Any:
    """The same of log entries."""
    return _tagged(ChangeTag.ct_log_id, name)


def tagged_recent_changes(name: str) -> Any:
    """The same of recent changes."""
    return _tagged(ChangeTag.ct_rc_id, name)


def definitions(db: Database) -> dict[str, tuple[int, bool]]:
    """Every tag that was defined or used: its number of uses, and whether users made it.

    One query; a wiki has few tags.
    """
    rows = db.fetch(_definitions, (), ())
    return {name: (count, bool(by_user)) for name, count, by_user in rows}


def _definitions() -> Any:
    table = ChangeTagDef
    query = table.select(table.ctd_name, table.ctd_count, table.ctd_user_defined)
    return query.order_by(table.ctd_name)


def _tagged(column: Any, name: str) -> Any:
    query = ChangeTag.select(column)
    joined = query.join(ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
    return joined.where((ChangeTagDef.ctd_name == name) & column.is_null(False))


def _grouped(db: Database, build: Callable[[int], Any], ids: Iterable[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for number, name in fetch_in(db, build, ids):
        found.setdefault(number, []).append(name)
    return found


def _of_revisions(count: int) -> Any:
    return _select(ChangeTag.ct_rev_id, count)


def _of_log_entries(count: int) -> Any:
    return _select(ChangeTag.ct_log_id, count)


def _of_recent_changes(count: int) -> Any:
    return _select(ChangeTag.ct_rc_id, count)


def _select(column: Any, count: int) -> Any:
    query = ChangeTag.select(column, ChangeTagDef.ctd_name)
    joined = query.join(ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
    return joined.where(column.in_(slots(count))).order_by(column, ChangeTag.ct_tag_id)
