"""Bulk loading, where secondary indexes are created at the end, which takes half the time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from peewee import Model

from wikiapi.store.database import Database
from wikiapi.store.models import (
    ALL_MODELS,
    CategoryLinks,
    ExistenceLinks,
    ExternalLinks,
    ImageLinks,
    IwLinks,
    LangLinks,
    Page,
    PageLinks,
    Redirect,
    Revision,
    Slots,
    TemplateLinks,
)
from wikiapi.store.models.base import NamedIndex
from wikiapi.store.schema.ddl import create_index, drop_index, named_indexes

_LOADED = (
    Page,
    Revision,
    Slots,
    TemplateLinks,
    PageLinks,
    ImageLinks,
    ExistenceLinks,
    CategoryLinks,
    ExternalLinks,
    LangLinks,
    IwLinks,
    Redirect,
)

# Indexes used while loading, to look up the links of a page that is written again.
_KEPT = frozenset({"el_from"})


@contextmanager
def loading(db: Database) -> Iterator[None]:
    """Prepare the store for loading many rows in the block; all indexes exist again at its end.

    Indexes are dropped if the store is empty, or if some are missing because an earlier load was
    killed. Queries are slow until the indexes have been created.
    """
    for statement in db.dialect.before_loading:
        db.execute_sql(statement)
    if is_empty(db) or missing_indexes(db):
        with db.atomic():
            for model in _LOADED:
                for index in named_indexes(model):
                    if not index.unique and index.name not in _KEPT:
                        db.execute_sql(drop_index(model, index, db.dialect))
    try:
        yield
    finally:
        create_missing_indexes(db)
        for statement in db.dialect.after_loading:
            db.execute_sql(statement)


@contextmanager
def without_indexes(db: Database, model: type[Model]) -> Iterator[None]:
    """Drop the indexes of a table in the block, to fill it faster, and create them at its end.

    Call this in a transaction, whose rollback restores the indexes if the block fails. On databases
    where these statements cannot be part of a transaction, the indexes are not dropped.
    """
    indexes = named_indexes(model) if db.dialect.has_transactional_ddl else ()
    for index in indexes:
        db.execute_sql(drop_index(model, index, db.dialect))
    yield
    for index in indexes:
        db.execute_sql(create_index(model, index, db.dialect))


def is_empty(db: Database) -> bool:
    """Return whether the store has no pages."""
    return db.row(Page.select(Page.page_id).limit(1)) is None


def missing_indexes(db: Database) -> list[str]:
    """Return the names of MediaWiki's indexes that the store lacks."""
    return [index.name for _, index in _missing(db)]


def create_missing_indexes(db: Database) -> None:
    """Create the indexes that the store lacks."""
    for model, index in _missing(db):
        db.execute_sql(create_index(model, index, db.dialect))


def _missing(db: Database) -> list[tuple[Any, NamedIndex]]:
    there = db.catalog.indexes()
    every: list[tuple[Any, NamedIndex]] = [
        (model, index) for model in ALL_MODELS for index in named_indexes(model)
    ]
    return [
        (model, index)
        for model, index in every
        if (model._meta.table_name, index.name) not in there
    ]
