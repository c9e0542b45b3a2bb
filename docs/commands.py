"""Write the reference in docs/commands.md from the commands themselves: ``make docs`` runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from wikiapi.cli import COMMANDS
from wikiapi.cli.support.options import Command

COMMANDS_PAGE = Path(__file__).parent / "commands.md"
MARK = "<!-- From here on made from the commands by `make docs`. -->\n"
PROGRAM = "wikiapi"


class Documented(NamedTuple):
    """A command with its whole name: ``wikiapi db init``."""

    name: str
    command: click.Command


def documented() -> Iterator[Documented]:
    """Every command, and after a group the commands in it."""
    for spec in COMMANDS:
        command = spec.load()
        yield Documented(f"{PROGRAM} {spec.name}", command)
        if isinstance(command, click.Group):
            for name, inner in command.commands.items():
                yield Documented(f"{PROGRAM} {spec.name} {name}", inner)


def reference() -> str:
    """The part of the page that is made."""
    return "## Reference\n" + "".join(map(_section, documented()))


def page() -> str:
    """The whole page: what is written by hand, and the reference."""
    written = COMMANDS_PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    return f"{written}{MARK}\n{reference()}"


def _section(entry: Documented) -> str:
    context = click.Context(entry.command, info_name=entry.name)
    usage = " ".join(entry.command.collect_usage_pieces(context))
    parts = [
        f"\n### `{entry.name}`\n",
        f"```text\n{entry.name} {usage}\n```\n",
        _text(entry.command.help or ""),
    ]
    if rows := list(_options(context)):
        parts.append("| option | meaning |\n|---|---|\n" + "".join(rows))
    if isinstance(entry.command, Command) and entry.command.examples:
        parts.append(
            "Examples:\n\n```sh\n" + "".join(map(_example, entry.command.examples)) + "```\n"
        )
    return "\n".join(parts)


def _text(text: str) -> str:
    """A help text as Markdown; what click is told to leave as it is becomes a block."""
    paragraphs = []
    for paragraph in text.strip().split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines()]
        if "\b" in lines:
            kept = [line for line in paragraph.splitlines() if line.strip() != "\b"]
            paragraphs.append("```text\n" + "\n".join(kept) + "\n```\n")
        else:
            paragraphs.append(" ".join(lines) + "\n")
    return "\n".join(paragraphs)


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.params:
        record = parameter.get_help_record(context)
        if record and isinstance(parameter, click.Option):
            yield f"| `{record[0]}` | {_cell(record[1])} |\n"


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", r"\|")


def _example(example: Any) -> str:
    return f"# {example.meaning}\n{example.line}\n"


def main() -> None:
    """Write the page."""
    COMMANDS_PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
