"""The options of ``wikiapi check``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured, jobs_option
from wikiapi.config import Config


@click.command(
    "check",
    cls=Command,
    short_help="Verify a store, alone or against its dump.",
    examples=(
        ("wikiapi check", "Verify the store, and the links of 200 pages."),
        ("wikiapi check pages.xml.gz", "Also compare the store with its dump."),
        ("wikiapi check --links --json", "Verify the links of all pages, and print JSON."),
    ),
)
@configured
@click.option("--links", is_flag=True, help="Verify the links of all pages, not of a sample.")
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    help="Number of pages in the sample.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Maximum number of findings of one kind to print.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@jobs_option
@click.argument("dump", required=False)
def command(
    config: Config,
    links: bool,
    sample: int,
    most: int,
    as_json: bool,
    jobs: int,
    dump: str | None,
) -> None:
    """Verify a store: counts, sizes and hashes of texts, references and link tables.

    With a DUMP, compare its pages, revisions and texts with the store. Nothing is changed. The exit
    status is 1 if there are errors, and 0 if there are only warnings and notes.
    """
    from wikiapi.cli.work.check import run

    run(config, links, sample, most, as_json, jobs, dump)
