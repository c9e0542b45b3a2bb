"""Options and functions of commands that derive the link tables.

What takes long to import is imported where it is used: ``--help`` needs the options alone.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.options import harmless
from wikiapi.cli.support.progress import Progress
from wikiapi.dump import RECENT_DAYS
from wikiapi.processors import processors

_SHOWN_OF_A_KIND = 3
_LINE_END = "\n"

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from wikiapi.config import Config
    from wikiapi.dump.links.workers import OpenSite
    from wikiapi.site import Site


def jobs_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with ``--jobs``."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=processors,
        show_default="one for each core",
        help="Number of processes that parse pages.",
    )(command)


def recent_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with ``--recent-days``."""
    return click.option(
        "--recent-days",
        type=click.IntRange(0, 36_500),
        default=RECENT_DAYS,
        show_default=True,
        help="Days before the newest change that recent changes cover; 0 leaves them unchanged.",
    )(command)


def derive_links(site: Site, jobs: int = 1, *, resumed: bool = False) -> None:
    """Derive the link tables of pages that have none yet, with a progress bar.

    With ``resumed`` it is said how many pages are left, if any are. What is logged meanwhile is
    printed in one line each, and exceptions of plugins are counted.
    """
    from wikiapi.dump.links.update import LinksUpdate

    update = LinksUpdate(site, workers(site.config, jobs))
    total = update.count()
    if resumed and total:
        click.echo(f"The links of {total} pages are left to derive.", err=True)
    with Progress("Links", total, "pages", 1) as bar, _log_of(bar) as log:
        update.run(bar.move_to)
    click.echo(f"Derived the links of {total} pages.", err=True)
    for failed, count in log.failures.most_common():
        times = f"{count} times" if count > 1 else "once"
        click.echo(f"Warning: {failed} failed {times}", err=True)


class _Log(logging.Handler):
    """Prints the first records of a kind in a line each, without tracebacks."""

    def __init__(self, bar: Progress) -> None:
        super().__init__(logging.WARNING)
        self._bar = bar
        self.failures: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        failed = getattr(record, "failed", None)
        if failed is not None:
            self.failures[failed] += 1
        if failed is None or self.failures[failed] <= _SHOWN_OF_A_KIND:
            self._bar.say(f"Warning: {harmless(record.getMessage().partition(_LINE_END)[0])}")


@contextmanager
def _log_of(bar: Progress) -> Iterator[_Log]:
    """Provide a handler of all that is logged until the end of the block."""
    log = _Log(bar)
    logging.getLogger().addHandler(log)
    try:
        yield log
    finally:
        logging.getLogger().removeHandler(log)


def workers(config: Config, jobs: int) -> tuple[int, OpenSite] | None:
    """Return the number of workers and how they open the site, or None to use no workers.

    Stores in memory use none, because no other process can open them.
    """
    from wikiapi.store.engines.sqlite import MEMORY

    if jobs < 2 or config.database.url.endswith(MEMORY):
        return None
    return jobs, partial(_open_for_reading, _portable(config))


def _open_for_reading(config: Config) -> Site:
    from wikiapi.factory import open_site
    from wikiapi.store.database import Database

    return open_site(config, database=Database(config.database.url, read_only=True))


def _portable(config: Config) -> Config:
    """Return the configuration without read-only mappings, which cannot be pickled."""
    extensions = {name: dict(settings) for name, settings in config.extensions.items()}
    return replace(config, extensions=extensions)
