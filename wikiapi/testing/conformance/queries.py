"""Checks of the database queries that modules run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.testing.asking import ask
from wikiapi.testing.conformance.requests import (
    examples_of,
    has_limit,
    lists_in_parts,
    with_limit,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikiapi.api.module import Module
    from wikiapi.site import Site
    from wikiapi.store.database import Database
    from wikiapi.testing.conformance.requests import Params


MOST_MORE = 4
"""Queries that a full answer may take beyond those for a single item: one for each kind of fact."""

SMALL_TABLES = frozenset(
    {
        "change_tag_def",
        "collation",
        "content_models",
        "interwiki",
        "querycache_info",
        "site_stats",
        "slot_roles",
        "sqlite_master",
        "updatelog",
        "user_groups",
    }
)
"""Tables of a handful of rows, which may be read whole."""

_SCAN = re.compile(r"SCAN (?P<what>\S+)(?!\S| .*USING (?:COVERING )?INDEX| .*VIRTUAL TABLE)")


def queries_do_not_grow(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """The number of queries does not grow with the number of items."""
    for module, params in lists_in_parts(modules):
        one = _statements(site, with_limit(module, params, 1))
        every = _statements(site, with_limit(module, params, "max"))
        if len(every) > len(one) + MOST_MORE:
            yield f"{module.name}: {len(one)} queries for one item, {len(every)} for all"


def queries_use_an_index(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """No query reads a whole table that grows with the wiki. Checked on SQLite only."""
    if not site.db.is_sqlite:
        return
    for module, params in examples_of(modules):
        whole = with_limit(module, params, "max") if has_limit(module) else params
        for sql in dict.fromkeys(_statements(site, whole)):
            for step in _scans(site, sql):
                yield f"{module.name}: {step} in {sql}"


def _statements(site: Site, params: Params) -> list[str]:
    with site.db.recording() as log:
        ask(site, params)
    return [record.sql for record in log]


def _scans(site: Site, sql: str) -> list[str]:
    if not sql.startswith("SELECT"):
        return []
    aliases = dict(re.findall(r'(?:FROM|JOIN) "(\w+)" AS "(t\d+)"', sql))
    tables = {alias: table for table, alias in aliases.items()}
    # What a subquery has found is read whole in any case; its own steps are told beside.
    subqueries = set(re.findall(r'\) AS "(\w+)"', sql))
    return [
        step
        for step in steps_of(site.db, sql)
        if (match := _SCAN.match(step))
        and tables.get(match["what"], match["what"]) not in SMALL_TABLES
        and not match["what"].startswith("(subquery")
        and match["what"] not in subqueries
    ]


_LIMIT = re.compile(r"(?<=LIMIT )\d+")


def steps_of(db: Database, sql: str) -> list[str]:
    """The steps of a statement, from SQLite's plan for it.

    Statements are planned without their values, which the log has written in. Of these a limit
    alone would make for another plan, and so is taken out again.
    """
    limits = tuple(map(int, _LIMIT.findall(sql)))
    plan = db.raw(f"EXPLAIN QUERY PLAN {_LIMIT.sub('?', sql)}", limits)
    return [str(row[3]) for row in plan]
