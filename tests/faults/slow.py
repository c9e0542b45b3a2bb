"""Statements that would run for hours, and what else a database is busy with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wikiapi.api.query.module import ListModule
from wikiapi.hookspecs import hookimpl
from wikiapi.store.database import Database

ENDLESS = {
    "sqlite": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    ),
    "mysql": (
        "SELECT count(*) FROM seq_1_to_1000000 AS a JOIN seq_1_to_1000000 AS b"
        " WHERE a.seq + b.seq > 1"
    ),
    "postgres": (
        "SELECT count(*) FROM generate_series(1, 100000) AS a, generate_series(1, 1000000) AS b"
    ),
}
"""Each keeps a core busy; none gives a row before its end."""

_RUNNING = {
    "mysql": (
        "SELECT id, info FROM information_schema.processlist"
        " WHERE info IS NOT NULL AND id <> connection_id() AND command <> 'Sleep'"
    ),
    "postgres": (
        "SELECT pid, query FROM pg_stat_activity"
        " WHERE state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    ),
}
_CONNECTION = {
    "mysql": "SELECT connection_id()",
    "postgres": "SELECT pg_backend_pid()",
}


class Asking(ListModule):
    """Do what the test says, in a request."""

    name = "asking"
    prefix = "ask"
    work: Callable[[Database], Any]

    def execute(self) -> None:
        type(self).work(self.db)


class AskingPlugin:
    """``list=asking``, which does what it is given with the wiki's database."""

    def __init__(self, work: Callable[[Database], Any]) -> None:
        self._module = type("Asking", (Asking,), {"work": staticmethod(work)})

    @hookimpl
    def register_query_modules(self) -> list[type[ListModule]]:
        return [self._module]


def running(db: Database) -> list[tuple[int, str]]:
    """Return the statements that other connections to the server are running, by connection."""
    return [(int(number), sql) for number, sql in db.execute_sql(_RUNNING[db.dialect.name])]


def connection_id(db: Database) -> int:
    """Return the server's id of the connection that this statement uses."""
    return int(db.execute_sql(_CONNECTION[db.dialect.name], reading=True)[0][0])


def kill(db: Database, connection: int) -> None:
    """Let the server end another connection."""
    statement = {
        "mysql": "KILL CONNECTION {}",
        "postgres": "SELECT pg_terminate_backend({})",
    }[db.dialect.name]
    db.execute_sql(statement.format(connection))
