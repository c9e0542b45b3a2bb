"""From a database URL to the engine of its kind."""

from __future__ import annotations

from wikiapi.errors import StoreUnavailable
from wikiapi.store.engines.base import Engine
from wikiapi.store.engines.mysql import MysqlEngine
from wikiapi.store.engines.postgresql import PostgresqlEngine
from wikiapi.store.engines.sqlite import SqliteEngine

_ENGINES: dict[str, type[MysqlEngine | PostgresqlEngine]] = {
    "mysql": MysqlEngine,
    "mariadb": MysqlEngine,
    "postgres": PostgresqlEngine,
    "postgresql": PostgresqlEngine,
}


def engine_of(url: str, *, read_only: bool) -> Engine:
    """The engine of a URL.

    Raises StoreUnavailable when the URL is malformed, its driver is not installed or the file is
    not there and must not be made.
    """
    scheme = url.partition(":")[0]
    if scheme == "sqlite":
        return SqliteEngine(url, read_only=read_only)
    if scheme not in _ENGINES or "://" not in url:
        raise StoreUnavailable(f"cannot use a database of kind {scheme!r}")
    return _ENGINES[scheme](url, read_only=read_only)
