"""Runs the server of ``wikiapi mcp``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

import click

from wikiapi.config import Config
from wikiapi.factory import existing_site, with_read_right, without_debug_info
from wikiapi_plugins.mcp.reading import WikiReader
from wikiapi_plugins.mcp.server import make_server

_OPEN = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not listened on
"""Addresses that stand for all of a machine."""
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def run(config: Config, listen: str | None, hosts: Sequence[str] = ()) -> None:
    """Serve the wiki until the client disconnects or the process is interrupted.

    Args:
        config: the configuration.
        listen: address and port for HTTP; ``None`` for standard input and output.
        hosts: names of this server, in addition to loopback names and the configured one.
    """
    config = without_debug_info(config)
    address = _address(listen) if listen is not None else None
    with existing_site(config if address else with_read_right(config), read_only=True) as site:
        server = make_server(site, WikiReader(site))
        if address is None:
            server.run("stdio")
            return
        host, port = address
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"Serving MCP at http://{shown}:{port}/mcp", file=sys.stderr)
        names = server_names(config, shown, hosts)
        if host in _OPEN:
            text = f"Only requests for {', '.join(names)} are answered; --allow-host adds others."
            click.echo(text, file=sys.stderr)
        server.run(
            "streamable-http",
            host=host,
            port=port,
            stateless_http=True,
            transport_security=security_for(names),
        )


def server_names(config: Config, listening: str, hosts: Sequence[str]) -> list[str]:
    """Return the names by which clients may call the server, IPv6 addresses in brackets."""
    configured = urlsplit(config.server).hostname or ""
    configured = f"[{configured}]" if ":" in configured else configured
    names = [*_LOOPBACK, listening, configured, *(host.lower() for host in hosts)]
    return [name for name in dict.fromkeys(names) if name and name.strip("[]") not in _OPEN]


def security_for(names: Sequence[str]) -> Any:
    """Return the settings with which the package ``mcp`` refuses requests for other names.

    A page of another site may give its own name the address of this server (DNS rebinding). Its
    scripts could then read the wiki with the browser of somebody in the same network. Such requests
    have the name of the page in ``Host`` and ``Origin``.
    """
    settings = import_module("mcp.server.transport_security").TransportSecuritySettings
    origins = [f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
    return settings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )


def _address(listen: str) -> tuple[str, int]:
    host, mark, port = listen.rpartition(":")
    if not mark or not (port.isascii() and port.isdigit()) or int(port) > 65_535:
        raise click.BadParameter(f"{listen!r} is not HOST:PORT", param_hint="--listen")
    return host.strip("[]") or "127.0.0.1", int(port)
