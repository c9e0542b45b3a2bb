"""``wikiapi mcp``: the wiki for language models, over the Model Context Protocol."""

from __future__ import annotations

import click

from wikiapi.hookspecs import hookimpl


@hookimpl
def register_commands(cli: click.Group) -> None:
    """Add ``wikiapi mcp``."""
    # Imported here: a server needs none of it.
    from wikiapi_plugins.mcp.command import command

    cli.add_command(command)
