"""``wikiapi db``: create, upgrade, check and copy stores."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.options import DATABASE, Command, configured
from wikiapi.config import Config
from wikiapi.errors import StoreError
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.store.copying import LeftOut


@click.group("db")
def command() -> None:
    """Create, upgrade, check and copy stores."""


@command.command(
    cls=Command,
    examples=(
        (
            "wikiapi db init",
            "Use the configured database. `wikiapi import` does this automatically.",
        ),
    ),
)
@configured
def init(config: Config) -> None:
    """Create an empty store in the database."""
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

    with closing(Database(config.database.url)) as db:
        applied = migrate.upgrade(db)
        outcome = "was created" if applied else "existed already"
        click.echo(f"The store {outcome}: layout {migrate.version(db)}.")


@command.command(
    cls=Command,
    examples=(("wikiapi db upgrade", "Run after an upgrade of wikiapi. Copy the store first."),),
)
@configured
def upgrade(config: Config) -> None:
    """Upgrade a store of an older version of wikiapi."""
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

    with closing(Database(config.database.url)) as db:
        if not migrate.has_table(db, "page"):
            raise StoreError("the database has no store: create one with `wikiapi db init`")
        for key in migrate.upgrade(db):
            click.echo(f"Applied {key}.")
        click.echo(f"The store has layout {migrate.version(db)}.")


@command.command(
    cls=Command,
    examples=(
        (
            "wikiapi db check",
            "Check whether the store can be served. `wikiapi check` verifies its contents.",
        ),
    ),
)
@configured
def check(config: Config) -> None:
    """Print what the database contains. The exit status is 1 if it cannot be served."""
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

    with closing(Database(config.database.url, read_only=True)) as db:
        migrate.check(db)
        version = migrate.version(db)
        click.echo(f"A store of layout {version}." if version else "A MediaWiki database.")


@command.command(
    cls=Command,
    examples=(
        (
            "wikiapi db copy wiki.sqlite copy.sqlite",
            "Copy a store. The copy can be in another kind of database.",
        ),
    ),
)
@configured
@click.argument("source", type=DATABASE)
@click.argument("target", type=DATABASE)
def copy(config: Config, source: str, target: str) -> None:
    """Copy a complete store into an empty database of any kind.

    SOURCE and TARGET are SQLite files, or database URLs: mysql://..., postgresql://...
    An interrupted copy resumes when the same command is run again.
    """
    from wikiapi.factory import installed_models, open_site
    from wikiapi.importing.messages import copy_messages
    from wikiapi.store.copying import copy_store
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

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
