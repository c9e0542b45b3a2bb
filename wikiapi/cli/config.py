"""The options of ``wikiapi config``."""

from __future__ import annotations

from pathlib import Path

import click

from wikiapi.cli.support.options import DEFAULT_CONFIG, TEXT, Command


@click.group("config")
def command() -> None:
    """Take over the settings of an existing wiki."""


@command.command(
    "from",
    cls=Command,
    examples=(
        (
            "wikiapi config from mediawiki/LocalSettings.php",
            "Attach the wiki of a MediaWiki: its database, files, namespaces and other settings.",
        ),
        (
            "wikiapi config from https://wiki.example.org/wiki/Main_Page",
            "Complete the configuration of a dump with the settings of the live wiki.",
        ),
        (
            "wikiapi config from LocalSettings.php --dry-run",
            "Show what would be written.",
        ),
    ),
)
@click.argument("source", metavar="FILE|URL", type=TEXT)
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_CONFIG,
    show_default=True,
    help="Configuration to write, or to complete if it exists: its settings and comments stay.",
)
@click.option("--dry-run", is_flag=True, help="Print the configuration instead of writing it.")
@click.option(
    "--contact",
    type=TEXT,
    default="",
    help="Your mail or web address, for the operators of a live wiki. Wikimedia asks for one.",
)
def from_source(source: str, output: Path, dry_run: bool, contact: str) -> None:
    """Take over the settings of the wiki with the LocalSettings.php FILE, or of the one at URL.

    A LocalSettings.php is read, not run; with it, the files that it includes from its folder. The
    report lists what was taken over, what has no meaning here, and what could not be read or is not
    available. A configuration with the password of a database can be read by its owner only.
    """
    from wikiapi.cli.work.config import run

    run(source, output, dry_run=dry_run, contact=contact)
