"""What the models share."""

from __future__ import annotations

from dataclasses import dataclass

from peewee import Model


class MediaWikiModel(Model):
    """Base of the models. They are bound to no database: a process may serve several wikis.

    Build queries from a model and run them with ``Database.execute``; its own methods
    that touch a database (``create``, ``save``, ``get``) cannot be used.
    """


@dataclass(frozen=True, slots=True)
class NamedIndex:
    """An index under MediaWiki's own name."""

    name: str
    columns: tuple[str, ...]
    unique: bool


def index(name: str, *columns: str) -> NamedIndex:
    """Return an index over columns."""
    return NamedIndex(name, columns, unique=False)


def unique(name: str, *columns: str) -> NamedIndex:
    """Return an index over columns whose values may occur once."""
    return NamedIndex(name, columns, unique=True)
