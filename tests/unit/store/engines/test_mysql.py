"""What errors of MariaDB and MySQL mean."""

from __future__ import annotations

import pytest

from wikiapi.errors import (
    StoreConflict,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTimeout,
    StoreUnavailable,
)
from wikiapi.store.engines.mysql import MysqlEngine

pymysql = pytest.importorskip("pymysql")

MEANINGS: tuple[tuple[int, str, type[StoreError]], ...] = (
    (0, "", StoreUnavailable),
    (1040, "Too many connections", StoreUnavailable),
    (1047, "WSREP has not yet prepared node for application use", StoreUnavailable),
    (1053, "Server shutdown in progress", StoreUnavailable),
    (1180, 'Got error 6 "No such device or address" during COMMIT', StoreUnavailable),
    (1180, 'Got error 28 "No space left on device" during COMMIT', StoreFull),
    (1205, "Lock wait timeout exceeded; try restarting transaction", StoreConflict),
    (1213, "Deadlock found when trying to get lock", StoreConflict),
    (1290, "The server is running with the --read-only option", StoreReadOnly),
    (1969, "Query execution was interrupted (max_statement_time exceeded)", StoreTimeout),
    (2006, "MySQL server has gone away", StoreUnavailable),
    (2013, "Lost connection to MySQL server during query", StoreUnavailable),
    (1146, "Table 'wiki.page' doesn't exist", StoreError),
)


@pytest.mark.parametrize(("number", "text", "meaning"), MEANINGS)
def test_errors_are_translated(number: int, text: str, meaning: type[StoreError]) -> None:
    engine = MysqlEngine("mysql://root@localhost/wiki", read_only=False)
    assert type(engine.translate(pymysql.err.OperationalError(number, text))) is meaning


def test_a_closed_connection_is_unavailable() -> None:
    engine = MysqlEngine("mysql://root@localhost/wiki", read_only=False)
    assert type(engine.translate(pymysql.err.InterfaceError(0, ""))) is StoreUnavailable
