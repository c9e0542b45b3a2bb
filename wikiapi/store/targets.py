"""The targets of a link table one by one, whatever number of links each has.

A database that is asked for distinct targets, or for links to some of them, reads every link on
the way. Here the next target is looked up in the index from the last, so that a target costs the
same whether ten pages link to it or a million.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import fn

from wikiapi.store.models import LinkTarget

if TYPE_CHECKING:
    from wikiapi.store.database import Database
    from wikiapi.store.links import LinkTable

_TRIES = (16, 128, 1024)
"""How many targets are looked at beyond those wanted, time after time."""

# Adding nothing keeps a database from starting with all titles of the namespace.
_WALK = """
WITH RECURSIVE walk(target, step) AS (
    SELECT MIN({target}), 1 FROM {table} WHERE {target} >= {mark}
    UNION ALL
    SELECT (SELECT MIN({target}) FROM {table} WHERE {target} > walk.target), step + 1
    FROM walk WHERE walk.target IS NOT NULL AND step < {steps:d}
)
SELECT target FROM walk JOIN linktarget ON lt_id = target
WHERE lt_namespace + 0 = {mark}{bounds} ORDER BY target LIMIT {count:d}
"""


def next_targets(
    db: Database,
    table: LinkTable,
    namespace: int,
    titles: tuple[str | None, str | None],
    count: int,
    *,
    first: int = 0,
) -> list[int]:
    """The ids of the next targets that have links, in their order. Up to four queries.

    Args:
        db: the database.
        table: one that names its targets by id.
        namespace: of the targets.
        titles: the first and the last title that counts; None where there is no bound.
        count: how many to find at most.
        first: the id to begin with.
    """
    for more in _TRIES:
        found = _walk(db, table, namespace, titles, (first, count, count + more))
        if len(found) == count:
            return found
    # Few of many targets are wanted: their titles lead to them.
    return [number for (number,) in db.rows(_gathered(table, namespace, titles, first, count))]


def _walk(
    db: Database,
    table: LinkTable,
    namespace: int,
    titles: tuple[str | None, str | None],
    extent: tuple[int, int, int],
) -> list[int]:
    first, count, steps = extent
    mark = "?" if db.is_sqlite else "%s"
    given = [
        (operator, title)
        for operator, title in zip((">=", "<="), titles, strict=True)
        if title is not None
    ]
    sql = _WALK.format(
        target=table.target_id.column_name,
        table=table.model._meta.table_name,
        mark=mark,
        steps=steps,
        count=count,
        bounds="".join(f" AND lt_title {operator} {mark}" for operator, _ in given),
    )
    values = [first, namespace, *(title for _, title in given)]
    return [number for (number,) in db.select(sql, values)]


def _gathered(
    table: LinkTable,
    namespace: int,
    titles: tuple[str | None, str | None],
    first: int,
    count: int,
) -> Any:
    links = table.model.select(table.target_id).where(table.target_id == LinkTarget.lt_id)
    conditions: list[Any] = [
        LinkTarget.lt_namespace == namespace,
        LinkTarget.lt_id >= first,
        fn.EXISTS(links),
    ]
    low, high = titles
    conditions += [] if low is None else [LinkTarget.lt_title >= low]
    conditions += [] if high is None else [LinkTarget.lt_title <= high]
    query = LinkTarget.select(LinkTarget.lt_id).where(*conditions)
    return query.order_by(LinkTarget.lt_id).limit(count)
