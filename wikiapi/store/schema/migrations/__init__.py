"""The migrations from an empty database to the current layout, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wikiapi.store.database import Database
from wikiapi.store.schema.migrations import m0001_tables, m0002_search, m0003_sortkeys


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration. ``number`` counts from 1; ``apply`` is run in a transaction if possible."""

    number: int
    name: str
    apply: Callable[[Database], None]


MIGRATIONS = (
    Migration(1, "tables", m0001_tables.apply),
    Migration(2, "search", m0002_search.apply),
    Migration(3, "sortkeys", m0003_sortkeys.apply),
)
