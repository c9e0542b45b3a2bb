"""``wikiapi update``: follow the live wiki that the store's pages came from."""

from __future__ import annotations

from collections import deque
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.options import (
    Command,
    configured,
    jobs_option,
    recent_option,
    warn_of_titles,
)
from wikiapi.cli.support.progress import say_retry
from wikiapi.config import Config
from wikiapi.errors import DumpError
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.importing.live.update import UpdateReport
    from wikiapi.site import Site


@click.command(
    "update",
    cls=Command,
    short_help="Follow a live wiki's changes.",
    examples=(
        (
            "wikiapi update https://en.wikipedia.org/w/api.php",
            "Start a day before the dump's newest edit, or continue from the last update.",
        ),
        (
            "wikiapi update --since 2026-11-01 https://wiki.example.org/w/api.php",
            "Start on the day when the dump was started.",
        ),
    ),
)
@click.argument("url")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ", "%Y%m%d%H%M%S"]),
    help="Fetch changes since this time (UTC) instead of since the last update.",
)
@jobs_option
@recent_option
@configured
def command(config: Config, url: str, since: datetime | None, jobs: int, recent_days: int) -> None:
    """Fetch the changes of the live wiki whose api.php is at URL.

    Edits, new pages, moves, deletions and log entries are fetched, and the links of changed pages
    are derived. Requests are sent one at a time. Run the same command again for the next update.
    """
    from wikiapi.cli.support.cleanup import removing_on_failure
    from wikiapi.factory import open_site
    from wikiapi.importing.live.client import LiveApi
    from wikiapi.importing.live.remote import Remote
    from wikiapi.importing.live.update import LiveUpdate
    from wikiapi.store.database import Database
    from wikiapi.store.schema import migrate
    from wikiapi.timestamps import compact

    api = LiveApi(url, on_retry=say_retry)
    url_of_store = config.database.url
    with removing_on_failure(url_of_store), closing(Database(url_of_store)) as db:
        migrate.upgrade(db)
        site = open_site(config, database=db)
        update = LiveUpdate(site, Remote(api), url)
        begun: deque[UpdateReport] = deque(maxlen=1)
        try:
            _report(update.run(compact(since.replace(tzinfo=UTC)) if since else None, begun.append))
        except DumpError:
            if begun:
                # The changes fetched so far stay in the store, so derive their links as usual.
                _report(begun[0])
                _derive(site, jobs, recent_days)
            raise
        _derive(site, jobs, recent_days)


def _report(report: UpdateReport) -> None:
    warn_of_titles(report.refused)
    click.echo(
        f"Fetched {counted(report.changes, 'change')} from {report.since} to {report.until}: "
        f"{counted(report.pages, 'page')}, {counted(report.revisions, 'revision')}, "
        f"{counted(report.deleted, 'deletion')}.",
        err=True,
    )


def _derive(site: Site, jobs: int, recent_days: int) -> None:
    from wikiapi.cli.support.linking import derive_links
    from wikiapi.importing.finish import finish_unless_done

    derive_links(site, jobs)
    finish_unless_done(site, recent_days)
