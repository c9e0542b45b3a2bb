"""How each database is told to give up a statement when the time of its request is over."""

from __future__ import annotations

import time
from typing import Any

from wikiapi.store.connect import Dialect

# How many virtual-machine steps SQLite takes between two looks at the clock: about a millisecond.
_STEPS_PER_LOOK = 20_000

# MariaDB counts its versions from 10 on, MySQL is at 9.
_FIRST_MARIADB = (10,)


def watch(dialect: Dialect, database: Any, connection: Any, moment: float | None) -> None:
    """Let a connection's statements run until a moment of the monotonic clock; None for ever."""
    if dialect is Dialect.SQLITE:
        _watch_sqlite(connection, moment)
    else:
        seconds = 0.0 if moment is None else max(moment - time.monotonic(), 0.001)
        connection.cursor().execute(_setting(dialect, database, seconds))


def _watch_sqlite(connection: Any, moment: float | None) -> None:
    if moment is None:
        connection.set_progress_handler(None, 0)
    else:
        connection.set_progress_handler(lambda: time.monotonic() > moment, _STEPS_PER_LOOK)


def _setting(dialect: Dialect, database: Any, seconds: float) -> str:
    """The statement that sets the limit; 0 takes it away."""
    milliseconds = round(seconds * 1000)
    if dialect is Dialect.POSTGRES:
        return f"SET statement_timeout = {milliseconds}"
    if database.server_version >= _FIRST_MARIADB:
        return f"SET SESSION max_statement_time = {seconds:.3f}"
    return f"SET SESSION max_execution_time = {milliseconds}"
