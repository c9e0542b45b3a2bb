"""``wikiapi db``: create, upgrade, check and copy stores."""

from __future__ import annotations

from contextlib import closing

import click

from wikiapi.config import Config
from wikiapi.errors import StoreError
from wikiapi.factory import installed_models, open_site
from wikiapi.importing.messages import copy_messages
from wikiapi.store.copying import LeftOut, copy_store
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.texts import counted


def init(config: Config) -> None:
    """Create the store unless it exists."""
    with closing(Database(config.database.url)) as db:
        applied = migrate.upgrade(db)
        outcome = "was created" if applied else "existed already"
        click.echo(f"The store {outcome}: layout {migrate.version(db)}.")


def upgrade(config: Config) -> None:
    """Apply the missing migrations."""
    with closing(Database(config.database.url)) as db:
        if not migrate.has_table(db, "page"):
            raise StoreError("the database has no store: create one with `wikiapi db init`")
        for key in migrate.upgrade(db):
            click.echo(f"Applied {key}.")
        click.echo(f"The store has layout {migrate.version(db)}.")


def check(config: Config) -> None:
    """Print whether the database is a store or a MediaWiki's, and the version of its layout."""
    with closing(Database(config.database.url, read_only=True)) as db:
        migrate.check(db)
        version = migrate.version(db)
        click.echo(f"A store of layout {version}." if version else "A MediaWiki database.")


def copy(config: Config, source: str, target: str) -> None:
    """Copy the store table by table."""
    with (
        closing(Database(source, read_only=True)) as origin,
        closing(Database(target)) as copied,
    ):
        migrate.check(origin)
        models = installed_models(open_site(config, database=origin))
        rows = tables = 0
        left_out: list[LeftOut] = []
        for done in copy_store(origin, copied, models, report_left_out=left_out.append):
            click.echo(f"{done.table}: {done.rows}", err=True)
            rows, tables = rows + done.rows, tables + 1
    if sentence := copy_messages(source, target):
        click.echo(sentence, err=True)
    for item in left_out:
        click.echo(f"Left out {item.name}: {item.reason}.", err=True)
    click.echo(f"Copied {counted(rows, 'row')} of {counted(tables, 'table')}.")
