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
        (
            "wikiapi mcp --listen 0.0.0.0:8090 --allow-host wiki.example.org",
            "For clients on other machines, which use that name.",
        ),
    ),
)
@configured
@click.option("--listen", metavar="HOST:PORT", help="Serve over HTTP at this address.")
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Name by which clients reach this server over HTTP, besides loopback names and the host"
    " of site.server. Can be repeated.",
)
def command(config: Config, listen: str | None, hosts: tuple[str, ...]) -> None:
    """Serve search, pages, sections, links, categories and files, over the Model Context Protocol.

    Access is read-only. Over HTTP, clients see only what users without an account may see. Requests
    for other host names and from pages of other sites are refused.
    """
    from wikiapi_plugins.mcp.serving import run

    run(config, listen, hosts)
