"""``wikiapi update-special-pages``: fill the query cache of a wiki in miser mode."""

from __future__ import annotations

from contextlib import closing

import click

from wikiapi.api.query.reports import update_cache
from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate


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
    with closing(Database(config.database.url)) as db:
        migrate.upgrade(db)
        site = open_site(config, database=db)
        pages = [page for page in site.api.query_pages.values() if page.is_expensive]
        chosen = [page for page in pages if only in (None, page.name)]
        if not chosen:
            names = ", ".join(sorted(page.name for page in pages))
            raise click.BadParameter(f"{only!r} is none of {names}.", param_hint="--only")
        for page in chosen:
            click.echo(f"{page.name}: {update_cache(site, page)} results.", err=True)
