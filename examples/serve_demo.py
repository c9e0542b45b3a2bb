"""Serve the demo wiki: ``make serve`` runs ``python -m examples.serve_demo``."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import click

from examples.demo_store import PASSWORD, USER, configure, configure_writable
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http import make_app, serve

TRY = (
    "action=query&prop=info&titles=Main+Page&format=json",
    "action=query&generator=alltransclusions&gatlimit=5&format=json",
    "action=query&prop=fileusage&titles=File:Wikiapi+logo.png&format=json",
    "action=parse&title=Tea&text='''{{PAGENAME}}'''&format=json",
    "action=checktoken&type=csrf&token=x",
)


@click.command()
@click.option("--state", type=click.Path(path_type=Path), default=Path(".state/demo"))
@click.option("--listen", metavar="HOST:PORT", default="127.0.0.1:8080")
@click.option("--writable", is_flag=True, help="Let people log in and edit a copy of the wiki.")
def main(state: Path, listen: str, writable: bool) -> None:
    """Serve the demo wiki. Its store is created if it does not exist."""
    listen = free_address(listen)
    server = f"http://{listen}"
    config = configure_writable(state, server) if writable else configure(state, server)
    app = make_app(open_site(config))
    announce(config)
    serve(app, replace(config.http, listen=listen))


def free_address(address: str) -> str:
    """Return the wanted address, or one with another port if the wanted port is in use."""
    host, _, port = address.rpartition(":")
    for candidate in (int(port), 0):
        try:
            with socket.create_server((host, candidate)) as probe:
                return f"{host}:{probe.getsockname()[1]}"
        except OSError as error:
            click.echo(f"{host}:{candidate} cannot be used: {error.strerror}", err=True)
    raise click.ClickException(f"no port of {host} can be used")


def announce(config: Config) -> None:
    """Print the addresses of the wiki and some requests to try."""
    base = f"{config.site.server}{config.site.script_path}/api.php"
    click.echo(f"{config.site.name} answers at {base}; Ctrl-C stops it.")
    click.echo(f"Read it in a browser at {config.site.server}/")
    if config.site.writable:
        click.echo(f"Log in as {USER} with the password {PASSWORD}, or edit without logging in.")
    click.echo(f"Explore it in a browser at {config.site.server}/explore, or try:")
    for query in TRY:
        click.echo(f"  curl '{base}?{quote(query, safe='=&:+')}'")


if __name__ == "__main__":
    main()
