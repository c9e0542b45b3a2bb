"""The program ``wikiapi`` and the list of its commands; each command has a file of its own."""

from __future__ import annotations

import click

import wikiapi
from wikiapi.cli.support.group import CommandGroup, CommandSpec

__all__ = ["COMMANDS", "CommandGroup", "main"]

COMMANDS: tuple[CommandSpec, ...] = (
    CommandSpec("serve", "wikiapi.cli.serve"),
    CommandSpec("get", "wikiapi.cli.get"),
    CommandSpec("import", "wikiapi.cli.import_dump"),
    CommandSpec("import-files", "wikiapi.cli.import_files"),
    CommandSpec("import-tables", "wikiapi.cli.import_tables"),
    CommandSpec("update", "wikiapi.cli.update"),
    CommandSpec("links", "wikiapi.cli.links"),
    CommandSpec("parse", "wikiapi.cli.parse"),
    CommandSpec("search", "wikiapi.cli.search"),
    CommandSpec("check", "wikiapi.cli.check"),
    CommandSpec("doctor", "wikiapi.cli.doctor.command"),
    CommandSpec("plugins", "wikiapi.cli.plugins"),
    CommandSpec("openapi", "wikiapi.cli.openapi"),
    CommandSpec("db", "wikiapi.cli.db"),
    CommandSpec("user", "wikiapi.cli.user"),
    CommandSpec("completion", "wikiapi.cli.completion"),
)
"""The commands, in the order of ``wikiapi --help``."""


EPILOG = """\
`wikiapi import DUMP` creates a store, and `wikiapi serve` serves it. `wikiapi COMMAND --help` shows
examples. If something does not work, run `wikiapi doctor`.
"""


@click.group(cls=CommandGroup, specs=COMMANDS, plugins=True, epilog=EPILOG)
@click.version_option(wikiapi.__version__, prog_name="wikiapi")
def main() -> None:
    """MediaWiki's Action API, answered from a database."""
