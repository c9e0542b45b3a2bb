"""MariaDB and MySQL, through PyMySQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import peewee

from wikiapi.errors import StoreUnavailable
from wikiapi.store.dialect import Dialect
from wikiapi.store.engines.base import Session
from wikiapi.store.engines.server import CONNECT_TIMEOUT, ROWS_PER_INSERT, ServerEngine
from wikiapi.store.insert import Insertion
from wikiapi.store.statements import chunked

# A value that does not fit is an error, and 0 is an id like any other.
_MODE = "STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION"

# No server, server full, shut down, gone, killed: https://mariadb.com/kb/en/mariadb-error-codes/
_LOST = frozenset({0, 1040, 1053, 1077, 1078, 1079, 1080, 1203, 1927, 2002, 2003, 2006, 2013, 2055})


class MysqlEngine(ServerEngine):
    """A database on a server of MariaDB or MySQL."""

    dialect = Dialect.MYSQL

    def __init__(self, url: str, *, read_only: bool) -> None:
        """Take ``mysql://USER:PASSWORD@HOST:PORT/NAME?socket=PATH``; connects to nothing yet.

        Raises StoreUnavailable for a malformed URL and where PyMySQL is not installed.
        """
        self._driver = _driver()
        self._options = _options(url, read_only=read_only)
        self._is_mysql = False
        self.compiler = peewee.MySQLDatabase(None)

    def connect(self) -> Session:
        """Open a connection and learn whether this is MySQL rather than MariaDB."""
        connection = self._driver.connect(**self._options)
        # The one column that is no string of digits, cl_timestamp, is told in the session's zone.
        connection.query("SET time_zone = '+00:00'")
        self._is_mysql = "mariadb" not in str(connection.get_server_info()).lower()
        return Session(connection)

    def limiting(self, milliseconds: int) -> str:
        """MariaDB limits every statement, MySQL only those that read."""
        if self._is_mysql:
            return f"SET SESSION max_execution_time = {milliseconds}"
        return f"SET SESSION max_statement_time = {milliseconds / 1000:.3f}"

    def is_lost(self, error: Exception) -> bool:
        """By the number of the error; that of a connection closed on this side is 0."""
        if isinstance(error, self._driver.err.InterfaceError):
            return True
        number = error.args[0] if error.args else None
        return isinstance(error, self._driver.err.MySQLError) and number in _LOST

    def insert(self, connection: Any, what: Insertion, rows: Iterable[Sequence[Any]]) -> None:
        """Some hundred rows in each statement."""
        cursor = connection.cursor()
        for batch in chunked(rows, ROWS_PER_INSERT):
            cursor.executemany(what.sql, batch)


def _driver() -> Any:
    try:
        import pymysql
    except ImportError as error:
        raise StoreUnavailable("MariaDB and MySQL need the package PyMySQL") from error
    return pymysql


def _options(url: str, *, read_only: bool) -> dict[str, Any]:
    """Arguments of the driver; those after the question mark are its own, ``socket`` for short."""
    try:
        parts = urlsplit(url)
        named = {"host": parts.hostname, "port": parts.port}
    except ValueError as error:
        raise StoreUnavailable("the address of the database is malformed") from error
    named |= {"user": parts.username, "password": parts.password, "database": parts.path[1:]}
    if not named["database"]:
        raise StoreUnavailable("the URL of a MariaDB database has the form mysql://HOST/NAME")
    options: dict[str, Any] = {
        name: unquote(value) if isinstance(value, str) else value
        for name, value in named.items()
        if value
    }
    given = dict(parse_qsl(parts.query))
    if "socket" in given:
        given["unix_socket"] = given.pop("socket")
    options |= {name: int(value) if value.isdecimal() else value for name, value in given.items()}
    if read_only:
        options["init_command"] = "SET SESSION TRANSACTION READ ONLY"
    fixed = {"charset": "utf8mb4", "autocommit": True, "sql_mode": _MODE}
    return {"connect_timeout": CONNECT_TIMEOUT, **options, **fixed}
