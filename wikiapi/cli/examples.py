"""Worked examples of a command: shown by its ``--help``, in docs/commands.md, and run by a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Iterable


class Example(NamedTuple):
    """A command line as somebody types it, and what it is for."""

    line: str
    meaning: str


class Command(click.Command):
    """A command with examples."""

    def __init__(self, *args: Any, examples: Iterable[tuple[str, str]] = (), **kwargs: Any) -> None:
        """Take pairs of a command line and its meaning."""
        super().__init__(*args, **kwargs)
        self.examples = tuple(Example(*pair) for pair in examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for example in self.examples:
                # As they are: a line that is broken in the midst cannot be copied.
                formatter.write(f"  {example.line}\n")
                formatter.write(f"      {example.meaning}\n")
