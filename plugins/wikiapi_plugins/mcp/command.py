"""The command ``wikiapi mcp`` and its options."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config


@click.command(
    "mcp",
    cls=Command,
    short_help="Serve the wiki to language models (MCP).",
    examples=(
        ("wikiapi mcp", "Over standard input and output, for a program that starts it."),
        ("wikiapi mcp --listen 127.0.0.1:8090", "Over HTTP, at http://127.0.0.1:8090/mcp."),
    ),
)
@configured
@click.option("--listen", metavar="HOST:PORT", help="Serve over HTTP at this address.")
def command(config: Config, listen: str | None) -> None:
    """Serve search, pages, sections, links, categories and files, over the Model Context Protocol.

    Access is read-only. Over HTTP, clients see only what users without an account may see.
    """
    from wikiapi_plugins.mcp.serving import run

    run(config, listen)
