"""The options of ``wikiapi plugins new``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import Command
from wikiapi.config import Config


@click.command(
    "new",
    cls=Command,
    examples=(
        ("wikiapi plugins new tea-house", "Write the folder wikiapi-tea-house."),
        ("wikiapi plugins new guest-book --action", "Begin with an action that changes the wiki."),
    ),
)
@click.argument("name")
@click.option("--action", is_flag=True, help="Write an action that changes the wiki instead.")
@click.pass_obj
def command(config: Config, name: str, action: bool) -> None:
    """Write a package as a starting point for a plugin.

    It has a module of action=query, a parser function, and tests that run the conformance suite.
    """
    from wikiapi.cli.work.newplugin import run

    run(config, name, action=action)
