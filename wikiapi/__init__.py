"""wikiapi: MediaWiki's Action API, answered from a Peewee store without PHP."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.embedding import open_wiki as open  # noqa: A004 - a name like gzip.open
    from wikiapi.version import __version__

__all__ = ["__version__", "open"]

_SOURCES = {
    "__version__": ("wikiapi.version", "__version__"),
    "open": ("wikiapi.embedding", "open_wiki"),
}


def __getattr__(name: str) -> object:
    # Imported on first use: most programs need only a small part of this package.
    if name not in _SOURCES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _SOURCES[name]
    value: object = getattr(import_module(module), attribute)
    return value
