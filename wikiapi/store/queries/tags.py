"""Change tags of revisions, log entries and recent changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import ChangeTag, ChangeTagDef
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.sql.statements import Row


def _tags_by(column: Any) -> ByValues:
    query = ChangeTag.select(column, ChangeTagDef.ctd_name)
    joined = query.join(ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
    return ByValues(joined.order_by(column, ChangeTag.ct_tag_id), column)


_OF_REVISIONS = _tags_by(ChangeTag.ct_rev_id)
_OF_LOG_ENTRIES = _tags_by(ChangeTag.ct_log_id)
_OF_RECENT_CHANGES = _tags_by(ChangeTag.ct_rc_id)


def of_revisions(db: Database, revision_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the names of the tags of each revision that has any, sorted by tag id. One query."""
    return _grouped(_OF_REVISIONS.rows(db, revision_ids))


def of_log_entries(db: Database, log_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the same for log entries. One query."""
    return _grouped(_OF_LOG_ENTRIES.rows(db, log_ids))


def of_recent_changes(db: Database, change_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the same for recent changes. One query."""
    return _grouped(_OF_RECENT_CHANGES.rows(db, change_ids))


def tagged_revisions(name: str) -> Any:
    """Return a query for the ids of the revisions with a tag, for ``in_`` or :func:`has_tag`."""
    return _tagged(ChangeTag.ct_rev_id, name)


def tagged_log_entries(name: str) -> Any:
    """Return the same for log entries."""
    return _tagged(ChangeTag.ct_log_id, name)


def tagged_recent_changes(name: str) -> Any:
    """Return the same for recent changes."""
    return _tagged(ChangeTag.ct_rc_id, name)


def has_tag(column: Any, tagged: Any) -> Any:
    """Return the condition that the row whose id is in the column has a tag.

    ``tagged`` is one of the queries above. The database looks up rows one at a time, so that a list
    is read in its order, however many rows have the tag.
    """
    return fn.EXISTS(tagged.where(tagged.selected_columns[0] == column))


def definitions(db: Database) -> dict[str, tuple[int, bool]]:
    """Return the number of uses of every tag, and whether a user defined it. One query."""
    table = ChangeTagDef
    query = table.select(table.ctd_name, table.ctd_count, table.ctd_user_defined)
    rows = db.execute(query.order_by(table.ctd_name))
    return {name: (count, bool(by_user)) for name, count, by_user in rows}


def _tagged(column: Any, name: str) -> Any:
    query = ChangeTag.select(column)
    joined = query.join(ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
    return joined.where((ChangeTagDef.ctd_name == name) & column.is_null(False))


def _grouped(rows: Iterable[Row]) -> dict[int, list[str]]:
    tags: dict[int, list[str]] = {}
    for number, name in rows:
        tags.setdefault(number, []).append(name)
    return tags
