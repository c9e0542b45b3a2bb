"""Loading much at once: the secondary indexes are made at the end, which takes half the time."""

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

# What the loading itself looks up: the links of a page that is written again.
_KEPT = frozenset({"el_from"})


@contextmanager
def loading(db: Database) -> Iterator[None]:
    """Load inside the block; when it ends, however it ends, all indexes are there.

    Indexes are put off if the store is empty, or if an earlier loading was killed in the midst:
    then they are missing already, and this one goes on without. Until then queries answer slowly.
    """
    for statement in db.dialect.before_loading:
        db.execute_sql(statement)
    if is_empty(db) or missing_indexes(db):
        _drop_indexes(db)
    try:
        yield
    finally:
        create_missing_indexes(db)
        for statement in db.dialect.after_loading:
            db.execute_sql(statement)


@contextmanager
def without_indexes(db: Database, model: type[Model]) -> Iterator[None]:
    """Fill a table inside the block; its indexes are made at the end, where that can be undone.

    Call in a transaction: with it indexes come back that are missing when it fails. The indexes
    stay where such statements are no part of a transaction.
    """
    indexes = named_indexes(model) if db.dialect.has_transactional_ddl else ()
    for index in indexes:
        db.execute_sql(drop_index(model, index, db.dialect))
    yield
    for index in indexes:
        db.execute_sql(create_index(model, index, db.dialect))


def is_empty(db: Database) -> bool:
    """Return whether the store has no page yet."""
    return db.row(Page.select(Page.page_id).limit(1)) is None


def missing_indexes(db: Database) -> list[str]:
    """Return the names of MediaWiki's indexes that the store lacks; [] when all is well."""
    return [index.name for _, index in _missing(db)]


def create_missing_indexes(db: Database) -> None:
    """Make them."""
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


def _drop_indexes(db: Database) -> None:
    with db.atomic():
        for model in _LOADED:
            for index in named_indexes(model):
                if not index.unique and index.name not in _KEPT:
                    db.execute_sql(drop_index(model, index, db.dialect))
