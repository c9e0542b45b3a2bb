"""wikiapi: MediaWiki's Action API, answered from a Peewee store without PHP."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.embedding import open_wiki as open  # noqa: A004 - a name like gzip.open

__version__ = "0.1.0"

__all__ = ["__version__", "open"]


def __getattr__(name: str) -> object:
    # Imported on first use: most programs need only a small part of this package.
    if name != "open":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    opener: object = import_module("wikiapi.embedding").open_wiki
    return opener
