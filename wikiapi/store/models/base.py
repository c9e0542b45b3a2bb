"""The base class of the models, and their indexes."""

from __future__ import annotations

from dataclasses import dataclass

from peewee import Model


class MediaWikiModel(Model):
    """Base of the models, which are not bound to a database: a process may serve several wikis.

    Queries built from a model are run with ``Database.execute``. Its own methods that use a
    database (``create``, ``save``, ``get``) cannot be used.
    """


@dataclass(frozen=True, slots=True)
class NamedIndex:
    """An index with the name that MediaWiki gives it."""

    name: str
    columns: tuple[str, ...]
    unique: bool


def index(name: str, *columns: str) -> NamedIndex:
    """Return an index over columns."""
    return NamedIndex(name, columns, unique=False)


def unique(name: str, *columns: str) -> NamedIndex:
    """Return a unique index over columns."""
    return NamedIndex(name, columns, unique=True)
