"""``wikiapi update-special-pages``: fill the query cache of a wiki in miser mode."""

from __future__ import annotations

from contextlib import closing

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config
from wikiapi.texts import counted


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
    from wikiapi.api.query.reports import query_pages, update_cache
    from wikiapi.factory import open_site
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate

    with closing(Database(config.database.url)) as db:
        migrate.upgrade(db)
        site = open_site(config, database=db)
        pages = [page for page in query_pages(site).values() if page.is_expensive]
        chosen = [page for page in pages if only in (None, page.name)]
        if not chosen:
            names = ", ".join(sorted(page.name for page in pages))
            raise click.BadParameter(f"{only!r} is not one of {names}.", param_hint="--only")
        for page in chosen:
            click.echo(f"{page.name}: {counted(update_cache(site, page), 'result')}.", err=True)
