"""``wikiapi links``: derive the link tables from the pages' texts."""

from __future__ import annotations

from contextlib import closing

import click

from wikiapi.cli.support.options import (
    Command,
    cluster_option,
    configured,
    jobs_option,
    recent_option,
)
from wikiapi.config import Config
from wikiapi.heap import collected_rarely


@click.command(
    "links",
    cls=Command,
    short_help="Derive the link tables of imported pages.",
    examples=(
        ("wikiapi links", "Process pages without derived links."),
        ("wikiapi links --all --jobs 4", "Process all pages, in four processes."),
    ),
)
@click.option("--all", "everything", is_flag=True, help="Process all pages, not only pending ones.")
@jobs_option
@cluster_option
@recent_option
@configured
def command(config: Config, everything: bool, jobs: int, cluster: str, recent_days: int) -> None:
    """Derive the link tables of imported pages: links, templates, files and categories.

    Recent changes are derived from the revisions and the log as well. To resume an interrupted run,
    omit --all. If all links have been derived, nothing is written.
    """
    from wikiapi.cli.support.linking import derive_links
    from wikiapi.factory import open_site
    from wikiapi.importing.finish import finish_unless_done
    from wikiapi.pages.links.update import mark_all
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate
    from wikiapi.store.write.bulk import loading

    with collected_rarely(), closing(Database(config.database.url)) as db:
        migrate.upgrade(db)
        site = open_site(config, database=db)
        if everything:
            mark_all(db)
        with loading(db):
            derive_links(site, jobs, cluster)
        finish_unless_done(site, recent_days)
