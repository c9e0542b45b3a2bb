"""The options of ``wikiapi update-special-pages``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config


@click.command(
    "update-special-pages",
    cls=Command,
    short_help="Make the lists that large wikis keep.",
    examples=(
        ("wikiapi update-special-pages", "Make all lists."),
        ("wikiapi update-special-pages --only Wantedpages", "Make a single list."),
    ),
)
@click.option("--only", metavar="NAME", help="Make only this list, named as for qppage.")
@configured
def command(config: Config, only: str | None) -> None:
    """Make the lists of special pages that read whole tables, such as Wantedpages.

    Wikis with limits.miser_pages pages or more show them as they were made last. Run this command
    regularly, for example once a day. The commands that import make lists as well that are older
    than a day.
    """
    from wikiapi.cli.work.update_special_pages import run

    run(config, only)
