"""``wikiapi update-special-pages``: fill the query cache of a wiki in miser mode."""

from __future__ import annotations

from contextlib import closing

import click

from wikiapi.api.query.reports import query_pages, update_cache
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.texts import counted


def run(config: Config, only: str | None) -> None:
    """Update all cached lists, or the one named ``only``, and print their lengths.

    Raises:
        BadParameter: there is no cached list with this name.
    """
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
