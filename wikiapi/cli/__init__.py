"""The program ``wikiapi`` and the list of its commands.

Each command has a module with its options, and one in :mod:`wikiapi.cli` with its code.
"""

from __future__ import annotations

import click

import wikiapi
from wikiapi.cli.support.group import CommandGroup, CommandSpec

__all__ = ["COMMANDS", "CommandGroup", "main"]

COMMANDS: tuple[CommandSpec, ...] = (
    CommandSpec("serve", "wikiapi.cli.serve", "Answer requests over HTTP until interrupted."),
    CommandSpec("get", "wikiapi.cli.get", "Send one request to the API and print the answer."),
    CommandSpec("import", "wikiapi.cli.import_dump", "Import dumps or folders of wikitext."),
    CommandSpec("import-files", "wikiapi.cli.import_files", "Import a folder of media files."),
    CommandSpec("fetch-files", "wikiapi.cli.fetch_files", "Get the files that pages use."),
    CommandSpec(
        "fetch-messages", "wikiapi.cli.fetch_messages", "Get the interface in other languages."
    ),
    CommandSpec("import-tables", "wikiapi.cli.import_tables", "Load Wikimedia's table dumps."),
    CommandSpec("update", "wikiapi.cli.update", "Follow a live wiki's changes."),
    CommandSpec("links", "wikiapi.cli.links", "Derive the link tables of imported pages."),
    CommandSpec(
        "update-special-pages",
        "wikiapi.cli.update_special_pages",
        "Update the cached lists of large wikis.",
    ),
    CommandSpec(
        "parse", "wikiapi.cli.parse", "Render a text or a page, or show one stage of rendering."
    ),
    CommandSpec("search", "wikiapi.cli.search", "Search the pages."),
    CommandSpec(
        "export",
        "wikiapi_plugins.export.command",
        "Write pages as a static site, ZIM, JSON lines or Markdown.",
    ),
    CommandSpec("mcp", "wikiapi_plugins.mcp.command", "Serve the wiki to language models (MCP)."),
    CommandSpec("check", "wikiapi.cli.check", "Verify a store, alone or against its dump."),
    CommandSpec("config", "wikiapi.cli.config", "Take over the settings of an existing wiki."),
    CommandSpec("doctor", "wikiapi.cli.doctor.command", "Diagnose problems with an installation."),
    CommandSpec(
        "plugins",
        "wikiapi.cli.plugins",
        "List the plugins and what they register, or write a new one.",
    ),
    CommandSpec("openapi", "wikiapi.cli.openapi", "Print an OpenAPI description of the API."),
    CommandSpec("db", "wikiapi.cli.db", "Create, upgrade, check and copy stores."),
    CommandSpec("user", "wikiapi.cli.user", "Create accounts and set their passwords."),
    CommandSpec(
        "completion",
        "wikiapi.cli.completion",
        "Print the script for command completion in a shell.",
    ),
)
"""The commands, in the order of ``wikiapi --help``, with the help that is shown there."""


EPILOG = """\
`wikiapi import DUMP` creates a store, and `wikiapi serve` serves it. `wikiapi COMMAND --help` shows
examples. If something does not work, run `wikiapi doctor`.
"""


@click.group(cls=CommandGroup, specs=COMMANDS, plugins=True, epilog=EPILOG)
@click.version_option(wikiapi.__version__, prog_name="wikiapi")
def main() -> None:
    """MediaWiki's Action API, answered from a database."""
