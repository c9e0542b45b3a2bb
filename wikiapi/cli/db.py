"""The options of ``wikiapi db``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import DATABASE, Command, configured
from wikiapi.config import Config


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
    from wikiapi.cli.work import db

    db.init(config)


@command.command(
    cls=Command,
    examples=(("wikiapi db upgrade", "Run after an upgrade of wikiapi. Copy the store first."),),
)
@configured
def upgrade(config: Config) -> None:
    """Upgrade a store of an older version of wikiapi."""
    from wikiapi.cli.work import db

    db.upgrade(config)


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
    from wikiapi.cli.work import db

    db.check(config)


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
    from wikiapi.cli.work import db

    db.copy(config, source, target)
