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
@click.option("--listen", metavar="HOST:PORT", help="Answer over HTTP instead.")
def command(config: Config, listen: str | None) -> None:
    """Serve search, pages, sections, links, categories and files, over the Model Context Protocol.

    Nothing can be changed through it. Over HTTP, visitors see what they may see on the wiki.
    """
    from wikiapi_plugins.mcp.serving import run

    run(config, listen)
