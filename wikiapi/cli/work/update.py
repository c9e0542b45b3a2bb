"""``wikiapi update``: follow the live wiki that the store's pages came from."""

from __future__ import annotations

from collections import deque
from contextlib import closing
from datetime import UTC, datetime

import click

from wikiapi.cli.support.cleanup import removing_on_failure
from wikiapi.cli.support.linking import derive_links
from wikiapi.cli.support.options import warn_of_titles
from wikiapi.config import Config
from wikiapi.errors import DumpError
from wikiapi.factory import open_site
from wikiapi.importing.finish import finish_unless_done
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.remote import Remote
from wikiapi.importing.live.update import LiveUpdate, UpdateReport
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.texts import counted
from wikiapi.timestamps import compact


def run(config: Config, url: str, since: datetime | None, jobs: int, recent_days: int) -> None:
    """Fetch the changes, then derive links, recent changes and counters."""
    api = LiveApi(url, on_retry=_say_retry)
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


def _say_retry(reason: str, seconds: float) -> None:
    click.echo(f"The wiki does not answer ({reason}): trying again in {seconds:.0f} s.", err=True)


def _report(report: UpdateReport) -> None:
    warn_of_titles(report.refused)
    click.echo(
        f"Fetched {counted(report.changes, 'change')} from {report.since} to {report.until}: "
        f"{counted(report.pages, 'page')}, {counted(report.revisions, 'revision')}, "
        f"{counted(report.deleted, 'deletion')}.",
        err=True,
    )


def _derive(site: Site, jobs: int, recent_days: int) -> None:
    derive_links(site, jobs)
    finish_unless_done(site, recent_days)
