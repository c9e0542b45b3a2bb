"""The program ``wikiapi`` and the list of its commands. Each command is one module."""

from __future__ import annotations

import click

import wikiapi
from wikiapi.cli.support.group import CommandGroup, LazyCommand
from wikiapi.hookspecs import hookimpl

__all__ = ["COMMANDS", "CommandGroup", "main"]

COMMANDS: tuple[LazyCommand, ...] = (
    LazyCommand("serve", "wikiapi.cli.serve", "Answer requests over HTTP until interrupted."),
    LazyCommand("get", "wikiapi.cli.get", "Send one request to the API and print the answer."),
    LazyCommand("import", "wikiapi.cli.import_dump", "Import dumps or folders of wikitext."),
    LazyCommand("import-files", "wikiapi.cli.import_files", "Import a folder of media files."),
    LazyCommand("fetch-files", "wikiapi.cli.fetch_files", "Get the files that pages use."),
    LazyCommand(
        "fetch-messages", "wikiapi.cli.fetch_messages", "Get the interface in other languages."
    ),
    LazyCommand("import-tables", "wikiapi.cli.import_tables", "Load Wikimedia's table dumps."),
    LazyCommand("update", "wikiapi.cli.update", "Follow a live wiki's changes."),
    LazyCommand("links", "wikiapi.cli.links", "Derive the link tables of imported pages."),
    LazyCommand(
        "update-special-pages",
        "wikiapi.cli.update_special_pages",
        "Update the cached lists of large wikis.",
    ),
    LazyCommand(
        "parse", "wikiapi.cli.parse", "Render a text or a page, or show one stage of rendering."
    ),
    LazyCommand("search", "wikiapi.cli.search", "Search the pages."),
    LazyCommand("check", "wikiapi.cli.check", "Verify a store, alone or against its dump."),
    LazyCommand("config", "wikiapi.cli.config", "Take over the settings of an existing wiki."),
    LazyCommand("doctor", "wikiapi.cli.doctor", "Diagnose problems with an installation."),
    LazyCommand(
        "plugins",
        "wikiapi.cli.plugins",
        "List the plugins and what they register, or write a new one.",
    ),
    LazyCommand("openapi", "wikiapi.cli.openapi", "Print an OpenAPI description of the API."),
    LazyCommand("db", "wikiapi.cli.db", "Create, upgrade, check and copy stores."),
    LazyCommand("user", "wikiapi.cli.user", "Create accounts and set their passwords."),
    LazyCommand(
        "completion",
        "wikiapi.cli.completion",
        "Print the script for command completion in a shell.",
    ),
)
"""The commands of the core, in the order of ``wikiapi --help``, with the help in it."""


EPILOG = """\
`wikiapi import DUMP` creates a store, and `wikiapi serve` serves it. `wikiapi COMMAND --help` shows
examples. If something does not work, run `wikiapi doctor`.
"""


@click.group(cls=CommandGroup, plugins=True, epilog=EPILOG)
@click.version_option(wikiapi.__version__, prog_name="wikiapi")
def main() -> None:
    """MediaWiki's Action API, answered from a database."""


@hookimpl
def register_commands(cli: click.Group) -> None:
    """Add the commands of the core, by the hook with which plugins add theirs."""
    for command in COMMANDS:
        cli.add_command(command)


register_commands(main)
