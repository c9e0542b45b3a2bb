"""The options of ``wikiapi plugins``."""

from __future__ import annotations

import click

from wikiapi.cli import newplugin
from wikiapi.cli.support.options import configured
from wikiapi.config import Config


@click.group("plugins", invoke_without_command=True)
@configured
def command(config: Config) -> None:
    """List the plugins and what they register, or write a new one.

    Without a command, the plugins are listed. This works without a store.
    """
    context = click.get_current_context()
    context.obj = config
    if context.invoked_subcommand is None:
        from wikiapi.cli.work.plugins import run

        run(config)


command.add_command(newplugin.command)
