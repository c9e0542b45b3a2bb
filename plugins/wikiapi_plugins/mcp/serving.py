"""Runs the server of ``wikiapi mcp``."""

from __future__ import annotations

import sys

import click

from wikiapi.config import Config
from wikiapi.factory import existing_site, with_read_right, without_debug_info
from wikiapi_plugins.mcp.reading import WikiReader
from wikiapi_plugins.mcp.server import make_server


def run(config: Config, listen: str | None) -> None:
    """Serve the wiki until the client disconnects or the process is interrupted."""
    config = without_debug_info(config)
    address = _address(listen) if listen is not None else None
    with existing_site(config if address else with_read_right(config), read_only=True) as site:
        server = make_server(site, WikiReader(site))
        if address is None:
            server.run("stdio")
            return
        host, port = address
        click.echo(f"Serving MCP at http://{host}:{port}/mcp", file=sys.stderr)
        server.run("streamable-http", host=host, port=port, stateless_http=True)


def _address(listen: str) -> tuple[str, int]:
    host, mark, port = listen.rpartition(":")
    if not mark or not (port.isascii() and port.isdigit()) or int(port) > 65_535:
        raise click.BadParameter(f"{listen!r} is not HOST:PORT", param_hint="--listen")
    return host.strip("[]") or "127.0.0.1", int(port)
