"""The database engines by the schemes of their URLs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from wikiapi.errors import StoreUnavailable
from wikiapi.store.engines.base import Engine

# Each is imported when a database with this scheme is first opened.
_ENGINES = {
    "sqlite": "wikiapi.store.engines.sqlite:SqliteEngine",
    "mysql": "wikiapi.store.engines.mysql:MysqlEngine",
    "mariadb": "wikiapi.store.engines.mysql:MysqlEngine",
    "postgres": "wikiapi.store.engines.postgresql:PostgresqlEngine",
    "postgresql": "wikiapi.store.engines.postgresql:PostgresqlEngine",
}


def engine_of(url: str, *, read_only: bool) -> Engine:
    """Return the engine of a URL.

    Raises StoreUnavailable if the URL is malformed, if the driver is not installed, and if the file
    does not exist and ``read_only`` forbids to create it.
    """
    scheme = url.partition(":")[0]
    if scheme not in _ENGINES or (scheme != "sqlite" and "://" not in url):
        raise StoreUnavailable(f"cannot use a database of kind {scheme!r}")
    module, _, name = _ENGINES[scheme].partition(":")
    kind: Any = getattr(import_module(module), name)
    engine: Engine = kind(url, read_only=read_only)
    return engine
