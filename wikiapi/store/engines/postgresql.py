"""PostgreSQL, through psycopg, with indexes of text search vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, ClassVar

import peewee

from wikiapi.errors import StoreBusy, StoreFull, StoreTimeout, StoreUnavailable, StoreValueError
from wikiapi.store.engines.base import Session
from wikiapi.store.engines.dialect import BoundStatement, Insertion, Place
from wikiapi.store.engines.server import (
    CONNECT_TIMEOUT,
    ROWS_PER_INSERT,
    ServerDialect,
    ServerEngine,
)
from wikiapi.store.fields import (
    BigUInt,
    Binary,
    Chars,
    DateTime,
    Long,
    Payload,
    Serial,
    SortKey,
    Timestamp,
    UInt,
    USmall,
    Word,
)
from wikiapi.store.fulltext import ServerIndex, Term, words
from wikiapi.store.sql.batches import chunked

_FEW_ROWS = 10
"""The number of rows up to which one statement is faster than COPY with its three messages."""
_READING_ONLY = "-c default_transaction_read_only=on"


# Titles are sorted by their bytes, whatever the database's collation.
_BYTEWISE = 'TEXT COLLATE "C"'


class _PeeweeDatabase(peewee.PostgresqlDatabase):
    """Peewee's PostgreSQL database for writing SQL, which does not require the driver psycopg2."""

    index_value_literals = True

    def init(self, *_: Any, **__: Any) -> None:
        peewee.Database.init(self, None)


class PostgresqlDialect(ServerDialect):
    """PostgreSQL's SQL."""

    name = "postgres"
    peewee_database = _PeeweeDatabase(None)
    full_text_indexes = MappingProxyType(
        {"tsvector": "wikiapi.store.engines.postgresql:PostgresqlIndex"}
    )

    # There is no MIN of bytes.
    comparable_sort_key = "encode({}, 'hex')"
    text_id_of_address = "CAST(SUBSTRING({} FROM '^tt:([0-9]+)') AS BIGINT)"
    find_text = "strpos({}, '{}')"

    column_types: ClassVar = {
        UInt: "INTEGER",
        BigUInt: "BIGINT",
        USmall: "SMALLINT",
        Serial: "BIGSERIAL",
        Binary: _BYTEWISE,
        Chars: 'VARCHAR({0.length}) COLLATE "C"',
        Word: _BYTEWISE,
        Long: _BYTEWISE,
        Timestamp: _BYTEWISE,
        DateTime: _BYTEWISE,
        Payload: "BYTEA",
        SortKey: "BYTEA",
    }

    list_tables = (
        "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    )
    list_kinds = (
        "SELECT table_name, table_type FROM information_schema.tables"
        " WHERE table_schema = current_schema()"
    )
    list_columns = (
        "SELECT column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND table_name = %s"
    )
    list_all_columns = (
        "SELECT table_name, column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = current_schema()"
    )
    list_indexes = "SELECT tablename, indexname FROM pg_indexes WHERE schemaname = current_schema()"
    # Each edit asks for it; the view information_schema.columns takes forty times as long.
    full_text_declaration = (
        "SELECT format_type(atttypid, NULL) FROM pg_attribute"
        " WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.searchindex')"
        " AND attname = 'si_title'"
    )
    database_collation = "SELECT datcollate FROM pg_database WHERE datname = current_database()"

    server_version = "SHOW server_version"

    # An arbitrary number that no other program is likely to lock in the same database.
    # Sent together, because whoever holds the lock lets others wait for each answer of the server.
    begin_writing = "BEGIN; SELECT pg_advisory_xact_lock(2003792745, 1)"
    begin_relaxed = f"{begin_writing}; SET LOCAL synchronous_commit TO off"
    begin_sharing = "BEGIN; SELECT pg_advisory_xact_lock_shared(2003792745, 1)"
    begin_sharing_relaxed = f"{begin_sharing}; SET LOCAL synchronous_commit TO off"

    count_up = (
        "INSERT INTO updatelog (ul_key, ul_value) VALUES (%s, '1') ON CONFLICT (ul_key)"
        " DO UPDATE SET ul_value = CAST(CAST(updatelog.ul_value AS BIGINT) + 1 AS TEXT)"
    )
    refuse_unless = "SELECT 1 / CASE WHEN {} THEN 1 ELSE 0 END"

    position = "SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS BIGINT)"
    progress = (
        "SELECT CAST(pg_last_wal_replay_lsn() - '0/0' AS BIGINT),"
        " CAST(EXTRACT(EPOCH FROM now() - pg_last_xact_replay_timestamp()) AS DOUBLE PRECISION)"
        " WHERE pg_is_in_recovery()"
    )

    # With "replace", PostgresqlEngine deletes the existing rows first.
    insert_verbs: ClassVar = {"error": "INSERT", "ignore": "INSERT", "replace": "INSERT"}
    insert_endings: ClassVar = {"ignore": " ON CONFLICT DO NOTHING"}

    def last_number(self, table: str, column: str) -> BoundStatement:
        """Return a query for the last value of the sequence of the column."""
        sql = "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)"
        return sql, (self.quoted(table), column)

    def number_after(self, table: str, column: str, last: int) -> list[BoundStatement]:
        """Return the statement that sets the last value of the sequence of the column."""
        sql = "SELECT setval(pg_get_serial_sequence(%s, %s), %s)"
        return [(sql, (self.quoted(table), column, last))]

    def numbered(self, table: str, column: str, last: int) -> list[BoundStatement]:
        """Return the statement that sets the sequence, which rows with ids do not advance."""
        return self.number_after(table, column, last)

    def number_above(self, places: Sequence[tuple[Place, Place]]) -> BoundStatement | None:
        """Return the statement that raises sequences, which rows with ids do not advance."""
        parts, values = [], []
        for (table, column), (other_table, other_column) in places:
            greatest = f"SELECT MAX({self.quoted(other_column)}) FROM {self.quoted(other_table)}"  # noqa: S608
            parts.append(f"SELECT pg_get_serial_sequence(%s, %s)::regclass AS s, ({greatest}) AS n")
            values += [self.quoted(table), column]
        sql = (
            f"SELECT setval(s, MAX(n)) FROM ({' UNION ALL '.join(parts)}) AS numbers"  # noqa: S608
            " GROUP BY s HAVING MAX(n) > COALESCE(pg_sequence_last_value(s), 0)"
        )
        return sql, tuple(values)

    def bytes_of(self, node: Any) -> str:
        """Return a conversion, except for columns of bytes."""
        return "{}" if isinstance(node, Payload) else "convert_to({}, 'UTF8')"

    def null_of(self, field: Any) -> str:
        """Return a cast; without it, NULL has the type ``text``."""
        kind = self.column_type(field).partition(" COLLATE")[0]
        return f"CAST(NULL AS {'BIGINT' if kind == 'BIGSERIAL' else kind})"

    def digits_of(self, expression: str, column_type: str) -> str:
        """Return a conversion for columns with PostgreSQL's timestamp type."""
        if not column_type.startswith("timestamp"):
            return expression
        digits = f"to_char({expression} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS')"
        return f"CASE WHEN {expression} = 'infinity' THEN 'infinity' ELSE {digits} END"

    def sort_key_of(self, expression: str, column_type: str) -> str:
        """Return a conversion of texts, which MediaWiki's own databases have."""
        return f"convert_to({expression}, 'UTF8')" if column_type == "text" else expression

    def convert_sort_keys(self, table: str, column: str, column_type: str) -> list[str]:
        """Return the statements that change the type of a column of texts, and so its index."""
        if column_type != "text":
            return []
        change = f"ALTER TABLE {self.quoted(table)} ALTER COLUMN {self.quoted(column)}"
        return [
            f"{change} DROP DEFAULT",
            f"{change} TYPE BYTEA USING {self.sort_key_of(self.quoted(column), column_type)}",
            f"{change} SET DEFAULT ''",
        ]

    def sorted_bytewise(self, expression: str, column_type: str) -> str:
        """Return an expression that is sorted by bytes, not by the database's collation."""
        is_text = column_type in {"text", "character varying"}
        return f'{expression} COLLATE "C"' if is_text else expression


class PostgresqlEngine(ServerEngine):
    """A database on a PostgreSQL server."""

    dialect = PostgresqlDialect()
    driver = "psycopg"
    error_texts = (
        ("statement timeout", StoreTimeout),
        ("lock timeout", StoreBusy),
        ("nul (0x00)", StoreValueError),
        ("could not extend file", StoreFull),
    )

    def __init__(self, url: str, *, read_only: bool) -> None:
        """Take ``postgresql://USER:PASSWORD@HOST:PORT/NAME?OPTION=VALUE``, as libpq reads it.

        Raises StoreUnavailable for a malformed URL, and if psycopg is not installed.
        """
        self._driver = _driver()
        try:
            parts = self._driver.conninfo.conninfo_to_dict(url)
        except self._driver.Error as error:
            raise StoreUnavailable("the address of the database is malformed") from error
        fixed = {"client_encoding": "UTF8"}
        defaults = {"connect_timeout": CONNECT_TIMEOUT, "application_name": "wikiapi"}
        self._options = {**defaults, **parts, **fixed}
        if read_only:
            options = self._options.get("options", "")
            self._options["options"] = f"{options} {_READING_ONLY}".strip()

    def connect(self) -> Session:
        """Open a connection on which values are bound by the client.

        If the server bound them, every combination of number sizes and text types would need its
        own prepared statement, which a connection pooler in between would have to support.
        """
        connection = self._driver.connect(
            **self._options, autocommit=True, cursor_factory=self._driver.ClientCursor
        )
        return Session(connection)

    def limiting(self, milliseconds: int) -> str:
        """Return the statement that sets the limit; PostgreSQL limits every statement."""
        return f"SET statement_timeout = {milliseconds}"

    def is_lost(self, error: Exception) -> bool:
        """Return whether the SQLSTATE says so; if there is none, the server did not answer."""
        if not isinstance(error, self._driver.OperationalError):
            return False
        state = error.sqlstate
        return state is None or state[:2] == "08" or state in {"57P01", "57P02", "57P03"}

    def is_conflict(self, error: Exception) -> bool:
        """Return whether the SQLSTATE is that of a deadlock, or of a transaction that is refused.

        The latter is a failure to serialize, or a division that ``refuse_unless`` has failed.
        """
        return getattr(error, "sqlstate", None) in {"40001", "40P01", "22012"}

    def is_duplicate(self, error: Exception) -> bool:
        """Return whether the SQLSTATE is that of a unique violation."""
        return getattr(error, "sqlstate", None) == "23505"

    def insert_numbered(
        self, insertion: Insertion, connection: Any, sql: str, row: Sequence[Any]
    ) -> int:
        """Insert a row and return the id that its sequence gives it."""
        payloads = [i for i, field in enumerate(insertion.fields) if isinstance(field, Payload)]
        cursor = connection.cursor()
        returning = f"{sql} RETURNING {self.dialect.quoted(insertion.id_name)}"
        cursor.execute(returning, _with_bytes(row, payloads))
        return int(cursor.fetchone()[0])

    def insert(
        self, insertion: Insertion, connection: Any, sql: str, rows: Iterable[Sequence[Any]]
    ) -> None:
        """Insert many rows with COPY if conflicts are errors, else some hundred per statement."""
        cursor = connection.cursor()
        payloads = [i for i, field in enumerate(insertion.fields) if isinstance(field, Payload)]
        encoded = (_with_bytes(row, payloads) for row in rows) if payloads else iter(rows)
        if insertion.on_conflict == "error":
            first = list(islice(encoded, _FEW_ROWS + 1))
            if len(first) > _FEW_ROWS:
                with cursor.copy(f"COPY {insertion.target} FROM STDIN") as copy:
                    for row in chain(first, encoded):
                        copy.write_row(row)
                return
            encoded = iter(first)
        for batch in chunked(encoded, ROWS_PER_INSERT):
            if insertion.on_conflict == "replace":
                batch = _make_room(cursor, insertion, batch)
            cursor.execute(insertion.sql_of(len(batch)), [value for row in batch for value in row])


def _with_bytes(row: Sequence[Any], payloads: Sequence[int]) -> Sequence[Any]:
    values = list(row)
    for index in payloads:
        if isinstance(values[index], str):
            values[index] = values[index].encode()
    return values


def _make_room(
    cursor: Any, insertion: Insertion, rows: Sequence[Sequence[Any]]
) -> list[Sequence[Any]]:
    """Delete the existing rows that have a unique key of a new row.

    Returns the new rows; of several with the same key, only the last.
    """
    left = list(rows)
    for key in insertion.unique_keys:
        places = [insertion.columns.index(name) for name in key]
        by_key = {tuple(row[place] for place in places): row for row in left}
        left = list(by_key.values())
        names, marks = insertion.dialect.listed(key), insertion.marks(len(key), len(by_key))
        cursor.execute(
            f"DELETE FROM {insertion.table} WHERE ({names}) IN ({marks})",  # noqa: S608
            [value for values in by_key for value in values],
        )
    return left


def _driver() -> Any:
    try:
        import psycopg
        import psycopg.conninfo
    except ImportError as error:
        raise StoreUnavailable("PostgreSQL needs the package psycopg[binary]") from error
    return psycopg


# Limits of the type: https://www.postgresql.org/docs/current/textsearch-limits.html
_LAST_POSITION = 16_383
_POSITIONS = 255
_BYTES = 1_000_000
_PER_POSITION = 2
_PER_WORD = 8


class PostgresqlIndex(ServerIndex):
    """An index of vectors that are built in Python, independently of the server's dictionaries.

    A vector can take one megabyte for words and positions; the rest of a longer text is left out.
    Phrases are only found within the first 16,383 words.
    """

    match = "{column} @@ CAST(%s AS tsquery)"
    # 1 means: divided by the logarithm of the length.
    rank = "ts_rank({column}, CAST(%s AS tsquery), 1)"
    definition = (
        (
            "CREATE TABLE searchindex (si_page INTEGER PRIMARY KEY,"
            " si_title tsvector NOT NULL, si_text tsvector NOT NULL)"
        ),
        "CREATE INDEX si_title ON searchindex USING gin (si_title)",
        "CREATE INDEX si_text ON searchindex USING gin (si_text)",
    )

    def value(self, text: str) -> str:
        """Return a vector as text: each word with its positions."""
        places: dict[str, list[int]] = {}
        size = 0
        for place, word in enumerate(words(text), 1):
            size += _PER_POSITION if word in places else len(word.encode()) + _PER_WORD
            if size > _BYTES:
                break
            positions = places.setdefault(word, [])
            if len(positions) < _POSITIONS:
                positions.append(min(place, _LAST_POSITION))
        # Words contain only letters and digits, so nothing needs to be escaped.
        return " ".join(f"'{word}':{','.join(map(str, at))}" for word, at in places.items())

    def expression(self, terms: Sequence[Term], *, any_of: bool = False) -> str:
        """Return phrases, all or any of which must be present."""
        return (" | " if any_of else " & ").join(filter(None, map(_phrase, terms)))


def _phrase(term: Term) -> str:
    parts = [f"'{word}'" for word in words(term.text)]
    if parts and term.prefix:
        parts[-1] += ":*"
    return f"({' <-> '.join(parts)})" if parts else ""
