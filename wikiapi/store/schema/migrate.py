"""Creates new stores and upgrades older ones, and creates the tables of plugins.

The migrations that have been applied are recorded in ``updatelog``, like MediaWiki's own updates,
with keys such as ``wikiapi-0001-tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from peewee import Model

from wikiapi.errors import StoreReadOnly, StoreVersionError
from wikiapi.store.database import Database
from wikiapi.store.fulltext import new_index
from wikiapi.store.models import ALL_MODELS, CategoryLinks, Collation, SiteStats, UpdateLog
from wikiapi.store.schema.ddl import definition
from wikiapi.store.write.bulk import create_missing_indexes
from wikiapi.texts import counted


def _create_tables(db: Database) -> None:
    """Create MediaWiki 1.45's tables and indexes, and the few rows that every wiki has."""
    tables = db.catalog.tables()
    for model in ALL_MODELS:
        meta: Any = model._meta
        for statement in definition(model, db.dialect) if meta.table_name not in tables else ():
            db.execute_sql(statement)
    create_missing_indexes(db)
    db.insert_many(SiteStats, [(1, 0, 0, 0, 0, 0, 0)], on_conflict="ignore")
    db.insert_many(Collation, [(1, "uppercase")], on_conflict="ignore")


def _create_full_text_index(db: Database) -> None:
    """Create the kind of full-text index that new stores have on this database engine."""
    new_index(db).create()


def _convert_sort_keys(db: Database) -> None:
    """Make the sort keys of categories bytes on PostgreSQL, since few collations make texts.

    On the other databases they always were bytes.
    """
    table, column = CategoryLinks._meta.table_name, CategoryLinks.cl_sortkey.column_name
    for statement in db.dialect.convert_sort_keys(table, column, db.catalog.columns(table)[column]):
        db.execute_sql(statement)


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration. ``number`` counts from 1; ``apply`` is run in a transaction if possible."""

    number: int
    name: str
    apply: Callable[[Database], None]


MIGRATIONS = (
    Migration(1, "tables", _create_tables),
    Migration(2, "search", _create_full_text_index),
    Migration(3, "sortkeys", _convert_sort_keys),
)
"""The migrations from an empty database to the current layout, in order."""

LATEST = MIGRATIONS[-1].number
_PREFIX = "wikiapi-"
_BEGUN = "wikiapi-begun"


def version(db: Database) -> int:
    """Return the number of the last migration applied.

    It is 0 for an empty database and for one that MediaWiki created.
    """
    if not has_table(db, "updatelog"):
        return 0
    keys = db.execute(
        UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key.startswith(_PREFIX))
    )
    numbers = [_number(key) for (key,) in keys]
    return max(numbers, default=0)


def upgrade(db: Database) -> list[str]:
    """Apply all missing migrations and return their keys.

    Each is applied completely or not at all, except on MariaDB, where an interrupted migration is
    continued by the next call.

    Raises StoreReadOnly for a database opened for reading only, and StoreVersionError for a store
    with a newer layout and for a database that MediaWiki created, which is served but never
    changed.
    """
    current = version(db)
    if current > LATEST:
        raise StoreVersionError(
            f"the store has layout {current}, but this version of wikiapi knows {LATEST}: "
            "upgrade wikiapi"
        )
    pending = [migration for migration in MIGRATIONS if migration.number > current]
    if not pending:
        return []
    if db.read_only:
        raise StoreReadOnly(
            f"the store needs {counted(len(pending), 'upgrade')} and is open for reading only"
        )
    if current == 0:
        if has_table(db, "page") and not _is_begun(db):
            raise StoreVersionError(
                "this is a database of MediaWiki, which is only opened for reading"
            )
        if not db.dialect.has_transactional_ddl:
            # The tables are noted as those of wikiapi before they are created one by one. Otherwise
            # an interrupted migration would leave what looks like a database of MediaWiki.
            if not has_table(db, "updatelog"):
                for creation in definition(UpdateLog, db.dialect):
                    db.execute_sql(creation)
            db.insert_many(UpdateLog, [(_BEGUN, None)], on_conflict="ignore")
        for statement in db.dialect.before_first_migration:
            db.execute_sql(statement)
    return [_apply(db, migration) for migration in pending]


def check(db: Database) -> None:
    """Raise StoreVersionError unless the database can be served as it is.

    A store of wikiapi must have the current layout; a database that MediaWiki created is accepted.
    """
    current = version(db)
    if current > LATEST:
        upgrade(db)
    if current == 0 and not has_table(db, "page"):
        raise StoreVersionError("the database has no tables: import something into it first")
    if 0 < current < LATEST:
        raise StoreVersionError(
            f"the store has layout {current}, but {LATEST} is required: upgrade it"
        )


def has_table(db: Database, name: str) -> bool:
    """Return whether the database has a table with a name."""
    return db.catalog.has_table(name)


def ddl_transaction(db: Database) -> AbstractContextManager[None]:
    """Return a transaction for statements that change tables, if these can be part of one."""
    return db.atomic() if db.dialect.has_transactional_ddl else nullcontext()


def key_of(migration: Migration) -> str:
    """Return the key under which a migration is recorded."""
    return f"{_PREFIX}{migration.number:04}-{migration.name}"


def _apply(db: Database, migration: Migration) -> str:
    key = key_of(migration)
    # Without a transaction, an interrupted migration is repeated and skips what already exists.
    with ddl_transaction(db):
        migration.apply(db)
        with db.atomic():
            db.insert_many(UpdateLog, [(key, None)])
            db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == _BEGUN))
    return key


def _is_begun(db: Database) -> bool:
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key == _BEGUN)
    return has_table(db, "updatelog") and db.row(query) is not None


def _number(key: str) -> int:
    digits = key.removeprefix(_PREFIX).partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def create_missing(db: Database, models: Iterable[type[Model]]) -> None:
    """Create the missing tables of models, with their indexes.

    Nothing is changed in a database that is open for reading only, has no tables yet, or was
    created by MediaWiki. Plugins can check with :func:`is_there` whether their tables exist.
    """
    models = list(models)
    if not models or db.read_only or not version(db):
        return
    for model in models:
        if not is_there(db, model):
            with ddl_transaction(db):
                for statement in definition(model, db.dialect):
                    db.execute_sql(statement)


def is_there(db: Database, model: type[Model]) -> bool:
    """Return whether the database has a model's table."""
    meta: Any = model._meta
    return db.catalog.has_table(meta.table_name)
