"""``wikiapi db``: make, upgrade, check and copy a store."""

from __future__ import annotations

from contextlib import closing

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config
from wikiapi.errors import StoreError
from wikiapi.factory import open_site, registered_models
from wikiapi.store import migrate
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database


@click.group("db")
def command() -> None:
    """Make, upgrade, check and copy a store."""


@command.command(
    cls=Command,
    examples=(
        (
            "wikiapi db init",
            "In the database of the configuration; `wikiapi import` does it by itself.",
        ),
    ),
)
@configured
def init(config: Config) -> None:
    """Make an empty store in the database."""
    with closing(Database(config.database.url)) as db:
        applied = migrate.upgrade(db)
        outcome = "is made" if applied else "was there already"
        click.echo(f"The store {outcome}: layout {migrate.version(db)}.")


@command.command(
    cls=Command,
    examples=(("wikiapi db upgrade", "After an upgrade of wikiapi; copy the store first."),),
)
@configured
def upgrade(config: Config) -> None:
    """Bring a store of an older wikiapi up to date."""
    with closing(Database(config.database.url)) as db:
        if not migrate.has_table(db, "page"):
            raise StoreError("the database holds no store: make one with `wikiapi db init`")
        for key in migrate.upgrade(db):
            click.echo(f"Applied {key}.")
        click.echo(f"The store has layout {migrate.version(db)}.")


@command.command(
    cls=Command,
    examples=(
        (
            "wikiapi db check",
            "Whether it can be served at all; `wikiapi check` looks at what is in it.",
        ),
    ),
)
@configured
def check(config: Config) -> None:
    """Tell what the database holds; status 1 when it cannot be served."""
    with closing(Database(config.database.url, read_only=True)) as db:
        migrate.check(db)
        version = migrate.version(db)
        click.echo(f"A store of layout {version}." if version else "A database of MediaWiki's.")


@command.command(
    cls=Command,
    examples=(
        (
            "wikiapi db copy sqlite:///wiki.sqlite sqlite:///copy.sqlite",
            "From one kind of database to another, too.",
        ),
    ),
)
@configured
@click.argument("source")
@click.argument("target")
def copy(config: Config, source: str, target: str) -> None:
    """Copy a whole store into an empty database, of any kind.

    SOURCE and TARGET are database URLs: sqlite:///PATH, mysql://..., postgresql://...
    A copying that was interrupted goes on when the same command is given again.
    """
    with (
        closing(Database(source, read_only=True)) as origin,
        closing(Database(target)) as copied,
    ):
        migrate.check(origin)
        models = registered_models(open_site(config, database=origin))
        rows = tables = 0
        for done in copy_store(origin, copied, models):
            click.echo(f"{done.table}: {done.rows}", err=True)
            rows, tables = rows + done.rows, tables + 1
    click.echo(f"Copied {rows} rows of {tables} tables.")
