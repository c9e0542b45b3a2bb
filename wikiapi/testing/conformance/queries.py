"""Checks of the database queries that modules run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from wikiapi.api.module import Module
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.recording import QueryRecord
from wikiapi.testing.asking import ask
from wikiapi.testing.conformance.requests import (
    Params,
    examples_of,
    has_limit,
    lists_in_parts,
    over_pages,
    with_limit,
)

MAX_EXTRA_QUERIES = 4
"""How many more queries a full answer may take than an answer with a single item."""

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
"""Tables with few rows, which may be read completely."""

_SCAN = re.compile(
    r"SCAN (?!CONSTANT ROW)(?P<what>\S+)(?!\S| .*USING (?:COVERING )?INDEX| .*VIRTUAL TABLE)"
)


def queries_do_not_grow(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that the number of queries does not grow with the number of items."""
    modules = list(modules)
    for module, params in lists_in_parts(modules):
        one = _statements(site, with_limit(module, params, 1))
        every = _statements(site, with_limit(module, params, "max"))
        if len(every) > len(one) + MAX_EXTRA_QUERIES:
            yield f"{module.name}: {len(one)} queries for one item, {len(every)} for all"
        yield from _repeated(module, params, one, every)
    for module, params in over_pages(site, modules):
        ids = params["pageids"].split("|")
        one = _statements(site, params | {"pageids": ids[0]})
        yield from _repeated(module, params, one, _statements(site, params))


def _repeated(
    module: type[Module], params: Params, one: list[QueryRecord], every: list[QueryRecord]
) -> Iterator[str]:
    """Yield the statements that are repeated with other values, so probably for each item."""
    usual = Counter(record.statement for record in one)
    runs = Counter(record.statement for record in every)
    values = {(record.statement, repr(record.params)) for record in every}
    different = Counter(statement for statement, _ in values)
    for statement, number in runs.items():
        if different[statement] > max(usual[statement], 1):
            function = next(r.function for r in every if r.statement == statement)
            yield f"{module.name}: {params} runs {number} times, by {function}: {statement}"


def queries_use_an_index(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that no query reads a whole table that grows with the wiki (on SQLite only).

    A query without a condition may read the beginning of a table in the order of its key.
    """
    if site.db.dialect.name != "sqlite":
        return
    for module, params in examples_of(modules):
        whole = with_limit(module, params, "max") if has_limit(module) else params
        for record in {record.statement: record for record in _statements(site, whole)}.values():
            for step in [] if _begins_a_table(site.db, record) else whole_scans(site.db, record):
                yield f"{module.name}: {step} in {record.sql}"


def _statements(site: Site, params: Params) -> list[QueryRecord]:
    with site.db.recording() as records:
        ask(site, params)
    return records


def _begins_a_table(db: Database, record: QueryRecord) -> bool:
    is_limited = " LIMIT " in record.statement and " WHERE " not in record.statement
    return is_limited and not any("TEMP B-TREE" in step for step in steps_of(db, record))


def whole_scans(db: Database, record: QueryRecord) -> list[str]:
    """Return the steps of a query's plan that read a whole table that grows with the wiki."""
    sql = record.statement
    if not sql.startswith("SELECT"):
        return []
    aliases = dict(re.findall(r'(?:FROM|JOIN) "(\w+)" AS "(t\d+)"', sql))
    tables = {alias: table for table, alias in aliases.items()}
    # Reading the whole result of a subquery is allowed; the steps of the subquery are separate.
    subqueries = set(re.findall(r'\) AS "?(\w+)', sql))
    return [
        step
        for step in steps_of(db, record)
        if (match := _SCAN.match(step))
        and tables.get(match["what"], match["what"]) not in SMALL_TABLES
        and not match["what"].startswith("(subquery")
        and match["what"] not in subqueries
    ]


def steps_of(db: Database, record: QueryRecord) -> list[str]:
    """Return the steps of the database's plan for a recorded statement."""
    return [step.strip() for step in db.plan(record.statement, record.params)]
