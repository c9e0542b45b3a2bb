"""PostgreSQL, through psycopg."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import peewee

from wikiapi.errors import StoreUnavailable
from wikiapi.store.dialect import Dialect
from wikiapi.store.engines.base import Session
from wikiapi.store.engines.server import CONNECT_TIMEOUT, ROWS_PER_INSERT, ServerEngine
from wikiapi.store.insert import Insertion
from wikiapi.store.statements import chunked

_READING_ONLY = "-c default_transaction_read_only=on"


class PostgresqlEngine(ServerEngine):
    """A database on a server of PostgreSQL."""

    dialect = Dialect.POSTGRES

    def __init__(self, url: str, *, read_only: bool) -> None:
        """Take ``postgresql://USER:PASSWORD@HOST:PORT/NAME?OPTION=VALUE``, all of it as libpq does.

        Raises StoreUnavailable for a malformed URL and where psycopg is not installed.
        """
        self._driver = _driver()
        self._options = self._parsed(url)
        if read_only:
            given = self._options.get("options", "")
            self._options["options"] = f"{given} {_READING_ONLY}".strip()
        self.compiler = _Compiler(None)

    def connect(self) -> Session:
        """Open a connection whose values are bound on this side.

        Bound by the server, each number's size and each text's type would make a statement of its
        own, and a pooler between us and the server would have to know of it.
        """
        connection = self._driver.connect(
            **self._options, autocommit=True, cursor_factory=self._driver.ClientCursor
        )
        return Session(connection)

    def limiting(self, milliseconds: int) -> str:
        """PostgreSQL limits every statement."""
        return f"SET statement_timeout = {milliseconds}"

    def is_lost(self, error: Exception) -> bool:
        """By the class of its SQLSTATE, or by there being none: then the server said nothing."""
        if not isinstance(error, self._driver.OperationalError):
            return False
        state = error.sqlstate
        return state is None or state[:2] == "08" or state in {"57P01", "57P02", "57P03"}

    def insert(self, connection: Any, what: Insertion, rows: Iterable[Sequence[Any]]) -> None:
        """By COPY where no row can be in the way, else some hundred in each statement."""
        cursor = connection.cursor()
        encoded = what.encoded(rows)
        if what.on_conflict == "error":
            with cursor.copy(what.copy_sql) as copy:
                for row in encoded:
                    copy.write_row(row)
            return
        for batch in chunked(encoded, ROWS_PER_INSERT):
            unique = what.make_room(cursor, batch) if what.on_conflict == "replace" else batch
            cursor.execute(what.sql_of(len(unique)), [value for row in unique for value in row])

    def _parsed(self, url: str) -> dict[str, Any]:
        try:
            options = self._driver.conninfo.conninfo_to_dict(url)
        except self._driver.Error as error:
            raise StoreUnavailable("the address of the database is malformed") from error
        fixed = {"client_encoding": "UTF8"}
        defaults = {"connect_timeout": CONNECT_TIMEOUT, "application_name": "wikiapi"}
        return {**defaults, **options, **fixed}


class _Compiler(peewee.PostgresqlDatabase):
    """Writes SQL without asking for a driver of its own."""

    index_value_literals = True

    def init(self, *_: Any, **__: Any) -> None:
        peewee.Database.init(self, None)


def _driver() -> Any:
    try:
        import psycopg
        import psycopg.conninfo
    except ImportError as error:
        raise StoreUnavailable("PostgreSQL needs the package psycopg[binary]") from error
    return psycopg
