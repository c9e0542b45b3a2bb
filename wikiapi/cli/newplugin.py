"""The options of ``wikiapi plugins new``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command
from wikiapi.config import Config


@click.command(
    "new",
    cls=Command,
    examples=(("wikiapi plugins new tea-house", "Write the folder wikiapi-tea-house."),),
)
@click.argument("name")
@click.pass_obj
def command(config: Config, name: str) -> None:
    """Write a package as a starting point for a plugin.

    It has a module of action=query, a parser function, and tests that run the conformance suite.
    """
    from wikiapi.cli.work.newplugin import run

    run(config, name)
