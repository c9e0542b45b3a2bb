"""Creates new stores and brings older ones up to date.

What has been applied is recorded where MediaWiki records its own updates, in ``updatelog``, under
keys of ours (``wikiapi-0001-tables``).
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from wikiapi.errors import StoreReadOnly, StoreVersionError
from wikiapi.plurals import counted
from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog
from wikiapi.store.schema.ddl import definition
from wikiapi.store.schema.migrations import MIGRATIONS, Migration

LATEST = MIGRATIONS[-1].number
_PREFIX = "wikiapi-"
_BEGUN = "wikiapi-begun"


def version(db: Database) -> int:
    """Return the number of the last migration applied; 0 for an empty database or one of
    MediaWiki's.
    """
    if not has_table(db, "updatelog"):
        return 0
    keys = db.execute(
        UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key.startswith(_PREFIX))
    )
    numbers = [_number(key) for (key,) in keys]
    return max(numbers, default=0)


def upgrade(db: Database) -> list[str]:
    """Apply what is missing and return its keys; each migration wholly or not at all.

    On MariaDB one that was cut short is taken up again the next time.

    Raises StoreReadOnly for a database opened for reading, StoreVersionError for a store made by
    newer code and for a database of MediaWiki's own, which is served but never changed.
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
        _prepare(db)
    return [_apply(db, migration) for migration in pending]


def check(db: Database) -> None:
    """Raise StoreVersionError unless the database can be served as it is.

    That is a store of wikiapi with the current layout, or MediaWiki's own database.
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
    """Return whether the database has a table of that name."""
    return db.catalog.has_table(name)


def ddl_transaction(db: Database) -> AbstractContextManager[None]:
    """Return a transaction for changes of tables, where these can be part of one."""
    return db.atomic() if db.dialect.has_transactional_ddl else nullcontext()


def key_of(migration: Migration) -> str:
    """Return the key under which a migration is recorded."""
    return f"{_PREFIX}{migration.number:04}-{migration.name}"


def _apply(db: Database, migration: Migration) -> str:
    key = key_of(migration)
    # Without a transaction, a step that was cut short is done again and leaves what it finds.
    with ddl_transaction(db):
        migration.apply(db)
        with db.atomic():
            db.insert_many(UpdateLog, [(key, None)])
            db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == _BEGUN))
    return key


def _prepare(db: Database) -> None:
    if has_table(db, "page") and not _is_begun(db):
        raise StoreVersionError("this is a database of MediaWiki, which is only opened for reading")
    if not db.dialect.has_transactional_ddl:
        _begin(db)
    for statement in db.dialect.before_first_migration:
        db.execute_sql(statement)


def _begin(db: Database) -> None:
    """Note that the tables are ours before there is any other, for they come one by one."""
    if not has_table(db, "updatelog"):
        for statement in definition(UpdateLog, db.dialect):
            db.execute_sql(statement)
    db.insert_many(UpdateLog, [(_BEGUN, None)], on_conflict="ignore")


def _is_begun(db: Database) -> bool:
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key == _BEGUN)
    return has_table(db, "updatelog") and db.row(query) is not None


def _number(key: str) -> int:
    digits = key.removeprefix(_PREFIX).partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else 0
