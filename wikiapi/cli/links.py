"""The options of ``wikiapi links``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured, jobs_option, recent_option
from wikiapi.config import Config


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
@recent_option
@configured
def command(config: Config, everything: bool, jobs: int, recent_days: int) -> None:
    """Derive the link tables of imported pages: links, templates, files and categories.

    Recent changes are derived from the revisions and the log as well. To resume an interrupted run,
    omit --all. If all links have been derived, nothing is written.
    """
    from wikiapi.cli.work.links import run

    run(config, everything, jobs, recent_days)
