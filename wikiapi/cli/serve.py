"""``wikiapi serve``: answer requests until interrupted."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.cli.support.sites import existing_site
from wikiapi.config import Config
from wikiapi.http.serving.reopening import Reopening
from wikiapi.http.serving.server import check_free, serve


@click.command(
    "serve",
    cls=Command,
    examples=(
        ("wikiapi serve", "Listen on the configured address, by default 127.0.0.1:8080."),
        ("wikiapi serve --listen 127.0.0.1:8000 --threads 8", "Use another port and more threads."),
    ),
)
@configured
@click.option("--listen", metavar="HOST:PORT", help="Address and port to listen on.")
@click.option("--threads", type=click.IntRange(min=1), help="Number of worker threads.")
def command(config: Config, listen: str | None, threads: int | None) -> None:
    """Answer requests over HTTP until interrupted.

    On a terminal, a line is printed for each request, unless http.access_log says otherwise.
    """
    http = replace(
        config.http,
        listen=listen or config.http.listen,
        threads=threads or config.http.threads,
    )
    if http.access_log == "auto":
        http = replace(http, access_log="short" if is_terminal() else "off")
    config = replace(config, http=http)
    check_free(http.listen)
    with Reopening(lambda: existing_site(config)) as app:
        _show_access_log()

        def announce(address: str) -> None:
            api = f"{address}{config.site.script_path}/api.php"
            click.echo(f"{config.site.name} answers at {api}; Ctrl-C stops it.")
            for mount in app.labelled:
                click.echo(f"{mount.label}: {address}{mount.path}")

        serve(app, http, announce)


def is_terminal() -> bool:
    """Return whether somebody reads what the server prints."""
    return sys.stdout.isatty()


def _show_access_log() -> None:
    """Send the access log to standard output, after what the program itself prints."""
    handler = logging.StreamHandler(sys.stdout)
    logger = logging.getLogger("wikiapi.access")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
