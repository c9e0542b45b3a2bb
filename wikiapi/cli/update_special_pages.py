"""The options of ``wikiapi update-special-pages``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config


@click.command(
    "update-special-pages",
    cls=Command,
    short_help="Update the cached lists of large wikis.",
    examples=(
        ("wikiapi update-special-pages", "Update all lists."),
        ("wikiapi update-special-pages --only Wantedpages", "Update a single list."),
    ),
)
@click.option("--only", metavar="NAME", help="Update only this list, named as for qppage.")
@configured
def command(config: Config, only: str | None) -> None:
    """Update the cached lists of special pages that read whole tables, such as Wantedpages.

    Wikis with at least limits.miser_pages pages show these lists as of their last update. Run this
    command regularly, for example once a day. Commands that import update lists that are more than
    a day old.
    """
    from wikiapi.cli.work.update_special_pages import run

    run(config, only)
