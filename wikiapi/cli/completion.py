"""``wikiapi completion``: print the script for command completion in a shell."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from wikiapi.cli.support.options import Command

PROGRAM = "wikiapi"
VARIABLE = "_WIKIAPI_COMPLETE"
"""The environment variable with which the script requests completions."""
SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    cls=Command,
    short_help="Print the script for command completion in a shell.",
    examples=(
        ('eval "$(wikiapi completion bash)"', "For ~/.bashrc; needs bash 4.4 or newer."),
        ('eval "$(wikiapi completion zsh)"', "For ~/.zshrc, after compinit."),
        ("wikiapi completion fish > ~/.config/fish/completions/wikiapi.fish", "Run once for fish."),
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options and files in a shell."""
    click.echo(completer(context.find_root().command, shell).source())


def completer(cli: click.Command, shell: str) -> ShellComplete:
    """Return click's completion for a shell."""
    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"completion is not available for {shell}")
    return completion(cli, {}, PROGRAM, VARIABLE)
