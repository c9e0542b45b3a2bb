"""The options of ``wikiapi openapi``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command, configured
from wikiapi.config import Config


@click.command(
    "openapi",
    cls=Command,
    short_help="Print an OpenAPI description of the API.",
    examples=(
        ("wikiapi openapi > openapi.json", "Describe the whole API, for code generators."),
        ("wikiapi openapi query+info", "Describe one module."),
    ),
)
@configured
@click.argument("module", default="")
def command(config: Config, module: str) -> None:
    """Print an OpenAPI 3.1 description of the API, or of a MODULE such as query+info."""
    from wikiapi.cli.work.openapi import run

    run(config, module)
