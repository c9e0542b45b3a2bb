"""Creates the tables of plugins in a store of wikiapi."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import Model

from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.store.schema.ddl import definition


def create_missing(db: Database, models: Iterable[type[Model]]) -> None:
    """Create the missing tables of models, with their indexes.

    Nothing is changed in a database that is open for reading only, has no tables yet, or was
    created by MediaWiki. Plugins can check with :func:`is_there` whether their tables exist.
    """
    models = list(models)
    if not models or db.read_only or not migrate.version(db):
        return
    for model in models:
        if not is_there(db, model):
            with migrate.ddl_transaction(db):
                for statement in definition(model, db.dialect):
                    db.execute_sql(statement)


def is_there(db: Database, model: type[Model]) -> bool:
    """Return whether the database has a model's table."""
    meta: Any = model._meta
    return db.catalog.has_table(meta.table_name)
