from __future__ import annotations

import click
from click.testing import CliRunner

from wikiapi.cli.support.options import Command


def test_examples_are_not_wrapped_in_the_help() -> None:
    line = "wikiapi " + "x" * 200

    @click.command("c", cls=Command, examples=((line, "Does it."),))
    def command() -> None:
        """Do it."""

    result = CliRunner().invoke(command, ["--help"])
    assert result.output.endswith(f"\nExamples:\n  {line}\n      Does it.\n")


def test_a_command_without_examples() -> None:
    @click.command("c", cls=Command)
    def command() -> None:
        """Do it."""

    assert "Examples" not in CliRunner().invoke(command, ["--help"]).output
