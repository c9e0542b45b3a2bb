"""MariaDB and MySQL, through PyMySQL, with InnoDB's full-text indexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, ClassVar
from urllib.parse import parse_qsl, unquote, urlsplit

import peewee

from wikiapi.errors import StoreBusy, StoreError, StoreTimeout, StoreUnavailable
from wikiapi.store.engines.base import Session
from wikiapi.store.engines.dialect import BoundStatement, Insertion
from wikiapi.store.engines.server import (
    CONNECT_TIMEOUT,
    ROWS_PER_INSERT,
    ServerDialect,
    ServerEngine,
)
from wikiapi.store.fields import DateTime, Long, Payload, Serial, UInt, Word
from wikiapi.store.fulltext import ServerIndex, Term, words
from wikiapi.store.sql.batches import chunked

# Values that do not fit are errors, and 0 is an ordinary id.
_MODE = "STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION"

# No server, server full, shut down, gone, killed, node without its cluster, which also fails to
# commit: https://mariadb.com/kb/en/mariadb-error-codes/
_LOST = frozenset(
    {0, 1040, 1047, 1053, 1077, 1078, 1079, 1080, 1180, 1203, 1927, 2002, 2003, 2006, 2013, 2055}
)


# A deadlock, which a cluster also reports for what another node has undone; a wait for a lock; what
# a transaction itself signals, as its dialect says.
_CONFLICTS = frozenset({1205, 1213, 1644})
_DUPLICATE = 1062
_NO_TABLE = 1146
_ASK = "SHOW VARIABLES WHERE variable_name IN ('wsrep_on', 'log_bin', 'binlog_format')"
_LOCK_ROW = "SELECT ul_key FROM updatelog WHERE ul_key = 'wikiapi writing' FOR UPDATE"
_LOCK = "GET_LOCK(CONCAT('wikiapi:', MD5(DATABASE())), 30)"
_UNLOCK = "RELEASE_LOCK(CONCAT('wikiapi:', MD5(DATABASE())))"
# In one message, so that others need not wait for the client. At another level of isolation, all
# statements would see what was committed before the first of them.
_BEGIN_SHARING = f"""BEGIN NOT ATOMIC
    DECLARE is_locked INT DEFAULT {_LOCK};
    DECLARE number INT DEFAULT 0;
    IF is_locked = 1 THEN
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        START TRANSACTION;
        SELECT COUNT(*) INTO number FROM updatelog WHERE ul_key = 'wikiapi writing'
            LOCK IN SHARE MODE;
        DO {_UNLOCK};
    END IF;
    SELECT is_locked, number;
END"""  # noqa: S608
_ADD_ROW = "INSERT IGNORE INTO updatelog (ul_key, ul_value) VALUES ('wikiapi writing', '0')"

# The number of bytes of a long column that MediaWiki includes in its indexes.
_INDEXED_BYTES = 60


class MysqlDialect(ServerDialect):
    """The SQL dialect of MariaDB and MySQL."""

    name = "mysql"
    peewee_database = peewee.MySQLDatabase(None)
    # The type of si_title, which is a varchar in MediaWiki's own index.
    full_text_indexes = MappingProxyType({"mediumtext": "wikiapi.store.engines.mysql:MysqlIndex"})

    quote = "`"
    text_id_of_address = "CAST(SUBSTR({}, 4) AS UNSIGNED)"
    from_nothing = " FROM DUAL"

    column_types: ClassVar = {
        UInt: "INT UNSIGNED",
        Serial: "BIGINT UNSIGNED",
        Word: "VARBINARY(32)",
        Long: "MEDIUMBLOB",
        DateTime: "VARBINARY(14)",
        Payload: "MEDIUMBLOB",
    }
    serial_ending = " PRIMARY KEY AUTO_INCREMENT NOT NULL"
    # As in MediaWiki: every text is compared by its bytes.
    table_ending = " ENGINE=InnoDB DEFAULT CHARSET=binary"
    has_transactional_ddl = False

    list_tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
    list_kinds = (
        "SELECT table_name, table_type FROM information_schema.tables"
        " WHERE table_schema = DATABASE()"
    )
    list_key = (
        "SELECT column_name FROM information_schema.key_column_usage"
        " WHERE table_schema = DATABASE() AND table_name = %s AND constraint_name = 'PRIMARY'"
        " ORDER BY ordinal_position"
    )
    list_columns = (
        "SELECT column_name, column_type FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name = %s"
    )
    list_all_columns = (
        "SELECT table_name, column_name, column_type FROM information_schema.columns"
        " WHERE table_schema = DATABASE()"
    )
    list_indexes = (
        "SELECT DISTINCT table_name, index_name FROM information_schema.statistics"
        " WHERE table_schema = DATABASE()"
    )
    full_text_declaration = (
        "SELECT column_type FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name = 'searchindex'"
        " AND column_name = 'si_title'"
    )

    lock_writing = f"SELECT {_LOCK}"
    unlock_writing = f"SELECT {_UNLOCK}"

    count_up = (
        "INSERT INTO updatelog (ul_key, ul_value) VALUES (%s, '1')"
        " ON DUPLICATE KEY UPDATE ul_value = CAST(ul_value AS UNSIGNED) + 1"
    )
    # A query within IF would lock the rows that it reads.
    refuse_unless = (
        "SELECT {} INTO @is_fulfilled; IF NOT @is_fulfilled THEN SIGNAL SQLSTATE '45000'; END IF"
    )

    # In the recursive form, MariaDB reads all rows above a value to find their minimum. With GROUP
    # BY it steps from group to group.
    distinct_values = """walk(value) AS (
    SELECT {column} FROM {table} WHERE {column} >= {mark}
    GROUP BY {column} ORDER BY {column} LIMIT {steps:d}
)"""
    insert_verbs: ClassVar = {"error": "INSERT", "ignore": "INSERT IGNORE", "replace": "REPLACE"}

    def indexed_column(self, field: Any) -> str:
        """Return a column, limited to its first bytes if it is long."""
        name = super().indexed_column(field)
        return f"{name}({_INDEXED_BYTES})" if "BLOB" in self.column_type(field) else name

    def definition_of(self, table: str) -> BoundStatement:
        """Return a query for the statement that creates the table with its indexes."""
        return f"SHOW CREATE TABLE {self.quoted(table)}", ()

    def together(self, statements: Sequence[BoundStatement]) -> BoundStatement:
        """Return a compound statement, which needs no permission to send several."""
        sql, values = super().together(statements)
        return f"BEGIN NOT ATOMIC {sql}; END", values

    def last_number(self, table: str, column: str) -> BoundStatement:
        """Return a query for the number before the next one."""
        sql = (
            "SELECT auto_increment - 1 FROM information_schema.tables"
            " WHERE table_schema = DATABASE() AND table_name = %s"
        )
        return sql, (table,)

    def number_after(self, table: str, column: str, last: int) -> list[BoundStatement]:
        """Return the statement that sets the next number."""
        return [(f"ALTER TABLE {self.quoted(table)} AUTO_INCREMENT = {last + 1:d}", ())]

    def drop_index(self, table: str, name: str) -> str:
        """Return the statement, which also names the table: index names are unique per table."""
        return f"{super().drop_index(table, name)} ON {self.quoted(table)}"


class MysqlEngine(ServerEngine):
    """A database on a server of MariaDB or MySQL."""

    dialect = MysqlDialect()
    driver = "pymysql"
    error_texts = (
        ("max_statement_time", StoreTimeout),
        ("gone away", StoreUnavailable),
    )

    def __init__(self, url: str, *, read_only: bool) -> None:
        """Take ``mysql://USER:PASSWORD@HOST:PORT/NAME?socket=PATH``; does not connect yet.

        Raises StoreUnavailable for a malformed URL, and if PyMySQL is not installed.
        """
        self._driver = _driver()
        self._options = _options(url, read_only=read_only)
        self._is_mysql = False
        self._is_cluster = False
        self._logs_statements = False

    def connect(self) -> Session:
        """Open a connection, and find out whether the server is MySQL rather than MariaDB."""
        connection = self._driver.connect(**self._options)
        # cl_timestamp, the only timestamp that is not a string of digits, is in the session's zone.
        connection.query("SET time_zone = '+00:00'")
        self._is_mysql = "mariadb" not in str(connection.get_server_info()).lower()
        variables = {_text(name): _text(value) for name, value in self.fetch(connection, _ASK, ())}
        self._is_cluster = variables.get("wsrep_on") == "ON"
        logs = variables.get("log_bin") == "ON"
        self._logs_statements = logs and variables.get("binlog_format") == "STATEMENT"
        return Session(connection)

    @property
    def lock_writing(self) -> str:
        """The statement; empty for a node of a Galera cluster, whose locks are its own."""
        return "" if self._is_cluster else super().lock_writing

    @property
    def can_share(self) -> bool:
        """Whether transactions can share the lock: not on a cluster, whose nodes undo each other's.

        Neither can they if the binary log has statements, which must be run one after the other,
        nor on MySQL, which has no compound statements.
        """
        return not (self._is_cluster or self._logs_statements or self._is_mysql)

    def begin_transaction(
        self, connection: Any, *, writes: bool, durable: bool, shares: bool = False
    ) -> None:
        """Begin a transaction, which locks a row of all writers, or shares it.

        On a Galera cluster, it changes this row. Others on the same node wait for it. Of
        transactions on several nodes, the first that is committed undoes the others, which is a
        conflict.

        Elsewhere, who shares the row also waits for the lock of those who do not, and holds it
        while the transaction begins: the row alone would be let go when tables are changed.

        Raises:
            StoreBusy: others have been holding the lock for too long.
        """
        if shares:
            self._share(connection)
            return
        super().begin_transaction(connection, writes=writes, durable=durable)
        if not writes:
            return
        try:
            if self._is_cluster:
                self.fetch(connection, self.dialect.count_up, ("wikiapi writing",))
            else:
                self.fetch(connection, _LOCK_ROW, ())
        except self._driver.err.ProgrammingError as error:
            # There are no tables yet.
            if error.args[0] != _NO_TABLE:
                raise

    def _share(self, connection: Any) -> None:
        if self._begin_sharing(connection):
            return
        # There is no such row yet.
        self.fetch(connection, "ROLLBACK", ())
        self.fetch(connection, _ADD_ROW, ())
        if not self._begin_sharing(connection):
            raise StoreError("the row of all writers cannot be inserted")

    def _begin_sharing(self, connection: Any) -> bool:
        """Begin a transaction, and return whether there is the row of all writers."""
        is_locked, rows = self.fetch(connection, _BEGIN_SHARING, ())[0]
        if is_locked != 1:
            raise StoreBusy("another process has been writing for too long")
        return bool(rows)

    def limiting(self, milliseconds: int) -> str:
        """Return the statement that sets the limit: on MariaDB for all statements, on MySQL only
        for those that read.
        """
        if self._is_mysql:
            return f"SET SESSION max_execution_time = {milliseconds}"
        return f"SET SESSION max_statement_time = {milliseconds / 1000:.3f}"

    def is_lost(self, error: Exception) -> bool:
        """Return whether the error's number says so; 0 means that the client has disconnected."""
        if isinstance(error, self._driver.err.InterfaceError):
            return True
        number = error.args[0] if error.args else None
        return isinstance(error, self._driver.err.MySQLError) and number in _LOST

    def is_conflict(self, error: Exception) -> bool:
        """Return whether the number is that of a deadlock, or of a wait for a lock that ended."""
        is_own = isinstance(error, self._driver.err.MySQLError)
        return is_own and bool(error.args) and error.args[0] in _CONFLICTS

    def is_duplicate(self, error: Exception) -> bool:
        """Return whether the number is that of a duplicate entry."""
        is_own = isinstance(error, self._driver.err.MySQLError)
        return is_own and bool(error.args) and error.args[0] == _DUPLICATE

    def translate(self, error: Exception) -> StoreError:
        """Return the StoreError; the error of a connection closed by the client has no text."""
        if isinstance(error, self._driver.err.InterfaceError):
            return StoreUnavailable("the connection is closed")
        return super().translate(error)

    def insert(
        self, insertion: Insertion, connection: Any, sql: str, rows: Iterable[Sequence[Any]]
    ) -> None:
        """Insert some hundred rows per statement."""
        cursor = connection.cursor()
        for batch in chunked(rows, ROWS_PER_INSERT):
            cursor.executemany(sql, batch)

    def insert_numbered(
        self, insertion: Insertion, connection: Any, sql: str, row: Sequence[Any]
    ) -> int:
        """Insert a row and return the id that it gets."""
        cursor = connection.cursor()
        cursor.execute(sql, row)
        return int(cursor.lastrowid)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _driver() -> Any:
    try:
        import pymysql
    except ImportError as error:
        raise StoreUnavailable("MariaDB and MySQL need the package PyMySQL") from error
    return pymysql


def _options(url: str, *, read_only: bool) -> dict[str, Any]:
    """Return the driver's arguments: the parts of the URL and those of its query string.

    ``socket`` is short for ``unix_socket``.
    """
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
    in_query = dict(parse_qsl(parts.query))
    if "socket" in in_query:
        in_query["unix_socket"] = in_query.pop("socket")
    options |= {
        name: int(value) if value.isdecimal() else value for name, value in in_query.items()
    }
    if read_only:
        options["init_command"] = "SET SESSION TRANSACTION READ ONLY"
    fixed = {"charset": "utf8mb4", "autocommit": True, "sql_mode": _MODE}
    return {"connect_timeout": CONNECT_TIMEOUT, **options, **fixed}


# A prefix of all words, so that single letters are long enough for the index and no word is a stop
# word: see innodb_ft_min_token_size and innodb_ft_default_stopword.
_HEAD = "wq"

# innodb_ft_max_token_size is 84.
_LONGEST = 80


class MysqlIndex(ServerIndex):
    """An index of words encoded in ASCII, which all parsers and collations treat alike.

    Of words in other scripts, only about the first dozen letters are indexed. A phrase that ends in
    an asterisk is searched as single words.
    """

    match = "MATCH ({column}) AGAINST (%s IN BOOLEAN MODE)"
    rank = match
    definition = (
        (
            "CREATE TABLE IF NOT EXISTS searchindex (si_page INT UNSIGNED NOT NULL PRIMARY KEY,"
            " si_title MEDIUMTEXT NOT NULL, si_text MEDIUMTEXT NOT NULL,"
            " FULLTEXT INDEX si_title (si_title), FULLTEXT INDEX si_text (si_text))"
            " ENGINE=InnoDB DEFAULT CHARSET=ascii COLLATE=ascii_bin"
        ),
    )

    def value(self, text: str) -> str:
        """Return the words, separated by spaces."""
        return " ".join(map(_written, words(text)))

    def expression(self, terms: Sequence[Term], *, any_of: bool = False) -> str:
        """Return words and phrases, all or any of which must be present."""
        parts = " ".join(part for term in terms if (part := _part(term)))
        # A plus makes a word mandatory; words themselves contain only letters and digits.
        return parts.replace("+", "") if any_of else parts


def _part(term: Term) -> str:
    parts = [_written(word) for word in words(term.text)]
    if not parts:
        return ""
    if term.prefix:
        return " ".join(f"+{word}" for word in parts) + "*"
    return f'+"{" ".join(parts)}"' if len(parts) > 1 else f"+{parts[0]}"


def _written(word: str) -> str:
    if word.isascii():
        return (_HEAD + word)[:_LONGEST]
    return (_HEAD + "".join(map(_letter, word)))[:_LONGEST]


def _letter(char: str) -> str:
    return char if char.isascii() else f"q{ord(char):x}q"
