"""The tables of plugins, created in a store of wikiapi if they are missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import Model

from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.store.schema.ddl import definition


def create_missing(db: Database, models: Iterable[type[Model]]) -> None:
    """Make the tables that are missing, with their indexes.

    Nothing is changed in a database that is open for reading only, has no tables of its own yet,
    or is MediaWiki's: there a plugin finds out with :func:`is_there`.
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
