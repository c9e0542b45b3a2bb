"""``wikiapi db``: make, upgrade and check a store."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from wikiapi.cli.examples import Command
from wikiapi.cli.options import configured
from wikiapi.errors import StoreError
from wikiapi.store import migrate
from wikiapi.store.database import Database

if TYPE_CHECKING:
    from wikiapi.config import Config


@click.group("db")
def command() -> None:
    """Make, upgrade and check a store."""


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
