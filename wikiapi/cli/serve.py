"""The options of ``wikiapi serve``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured, setting_range
from wikiapi.config import Config, HttpConfig


@click.command(
    "serve",
    cls=Command,
    examples=(
        ("wikiapi serve", "Listen on the configured address, by default 127.0.0.1:8080."),
        ("wikiapi serve --listen 127.0.0.1:8000 --threads 8", "Use another port and more threads."),
        ("wikiapi serve --workers 1", "Use a single process."),
    ),
)
@configured
@click.option("--listen", metavar="HOST:PORT", help="Address and port to listen on.")
@click.option(
    "--threads", type=setting_range(HttpConfig, "threads"), help="Number of threads per process."
)
@click.option("--workers", type=setting_range(HttpConfig, "workers"), help="Number of processes.")
def command(config: Config, listen: str | None, threads: int | None, workers: int | None) -> None:
    """Answer requests over HTTP until interrupted.

    On a terminal, a line is printed for each request, unless http.access_log is set.
    """
    from wikiapi.cli.work.serve import run

    run(config, listen, threads, workers)
