"""``wikiapi openapi``: print an OpenAPI description of the API."""

from __future__ import annotations

import json

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
        ("wikiapi openapi rest", "Describe the REST API."),
    ),
)
@configured
@click.argument("module", default="")
def command(config: Config, module: str) -> None:
    """Print an OpenAPI 3.1 description of the API, or of a MODULE such as query+info or rest."""
    from wikiapi.api.request import LOOPBACK
    from wikiapi.factory import empty_site
    from wikiapi.http.app import make_app
    from wikiapi.http.wsgiclient import InProcess

    path = f"/openapi/{module}.json" if module else "/openapi.json"
    # An empty store is enough, since what plugins register does not depend on the pages.
    with empty_site(config) as site:
        app = make_app(site)
        reply = InProcess(app, LOOPBACK).send("GET", path)
    if reply.status != 200:
        explanation = "there is no description: is the plugin openapi disabled?"
        if module:
            explanation = (
                f"there is no description of a module {module!r}: `wikiapi openapi` lists them all"
            )
        raise click.ClickException(explanation)
    click.echo(json.dumps(json.loads(reply.text), ensure_ascii=False, indent=2))
