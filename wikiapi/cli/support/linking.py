"""Derives the link tables for commands, and shows progress and errors of plugins."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import click

from wikiapi.cli.support.options import printable
from wikiapi.cli.support.progress import Progress
from wikiapi.factory import reading_workers
from wikiapi.pages.links.collation import (
    collation_change,
    count_sort_keys,
    follow_collation,
)
from wikiapi.pages.links.update import LinksUpdate, follow_settings
from wikiapi.site import Site
from wikiapi.texts import counted

_SHOWN_OF_A_KIND = 3
_LINE_END = "\n"


def derive_links(site: Site, jobs: int = 1, cluster: str = "", *, resumed: bool = False) -> None:
    """Derive the links of the pages for which this is pending, with a progress bar.

    These are all pages if settings of links have changed. If the collation has changed, all sort
    keys are made again first. Both are printed. If ``resumed`` is true, the number of remaining
    pages is printed first. Log messages are printed in one line each, and exceptions of plugins
    are counted.
    """
    if changed := follow_settings(site.db, site.config):
        names = ", ".join(changed)
        click.echo(f"Settings have changed ({names}): all links are derived again.", err=True)
    if new_order := collation_change(site.db, site.collation):
        click.echo(f"{new_order} They are made again.", err=True)
        with Progress("Keys", count_sort_keys(site.db), "keys", 1) as bar:
            follow_collation(site.db, site.collation, bar.move_to)
    update = LinksUpdate(site, reading_workers(site.config, jobs, cluster))
    total = update.count()
    if resumed and total:
        click.echo(f"The links of {counted(total, 'page')} are left to derive.", err=True)
    with Progress("Links", update.work()) as bar, _log_of(bar) as log:
        update.run(lambda pages, work: bar.move_to(work, counted(pages, "page")))
    click.echo(f"Derived the links of {counted(total, 'page')}.", err=True)
    for failed, count in log.failures.most_common():
        times = f"{count} times" if count > 1 else "once"
        click.echo(f"Warning: {failed} failed {times}", err=True)


class _Log(logging.Handler):
    """Prints the first few log records of each kind, in one line and without tracebacks."""

    def __init__(self, bar: Progress) -> None:
        super().__init__(logging.WARNING)
        self._bar = bar
        self.failures: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        failed = getattr(record, "failed", None)
        if failed is not None:
            self.failures[failed] += 1
        if failed is None or self.failures[failed] <= _SHOWN_OF_A_KIND:
            self._bar.say(f"Warning: {printable(record.getMessage().partition(_LINE_END)[0])}")


@contextmanager
def _log_of(bar: Progress) -> Iterator[_Log]:
    """Install and provide a handler for all log records until the end of the block."""
    log = _Log(bar)
    logging.getLogger().addHandler(log)
    try:
        yield log
    finally:
        logging.getLogger().removeHandler(log)
