"""The options of ``wikiapi update``."""

from __future__ import annotations

from datetime import datetime

import click

from wikiapi.cli.support.options import Command, configured, jobs_option, recent_option
from wikiapi.config import Config


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
    from wikiapi.cli.work.update import run

    run(config, url, since, jobs, recent_days)
