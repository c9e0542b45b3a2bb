"""Options and functions of commands that derive the link tables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.progress import Progress
from wikiapi.dump.finish import RECENT_DAYS
from wikiapi.dump.links.update import LinksUpdate
from wikiapi.factory import open_site
from wikiapi.processors import processors
from wikiapi.store.database import Database
from wikiapi.store.engines.sqlite import MEMORY

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
        help="Number of processes that derive links.",
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


def derive_links(site: Site, jobs: int = 1) -> None:
    """Derive the link tables of pages that have none yet, with a progress bar."""
    update = LinksUpdate(site, workers(site.config, jobs))
    total = update.count()
    with Progress("Links", total, "pages", 1) as bar:
        update.run(bar.move_to)
    click.echo(f"Derived the links of {total} pages.", err=True)


def workers(config: Config, jobs: int) -> tuple[int, OpenSite] | None:
    """Return the number of workers and how they open the site, or None to use no workers.

    Stores in memory use none, because no other process can open them.
    """
    if jobs < 2 or config.database.url.endswith(MEMORY):
        return None
    return jobs, partial(_open_for_reading, _portable(config))


def _open_for_reading(config: Config) -> Site:
    return open_site(config, database=Database(config.database.url, read_only=True))


def _portable(config: Config) -> Config:
    """Return the configuration without read-only mappings, which cannot be pickled."""
    extensions = {name: dict(settings) for name, settings in config.extensions.items()}
    return replace(config, extensions=extensions)
