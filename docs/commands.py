"""Generate the reference in docs/commands.md from the commands; ``make docs`` runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from wikiapi.cli import main as program
from wikiapi.cli.support.options import Command

COMMANDS_PAGE = Path(__file__).parent / "commands.md"
MARK = "<!-- Generated from the commands by `make docs` from here on. -->\n"
PROGRAM = "wikiapi"
OURS = ("wikiapi.", "wikiapi_plugins.")
"""The packages whose commands are documented, not those of other installed plugins."""


class Documented(NamedTuple):
    """A command with its full name, such as ``wikiapi db init``."""

    name: str
    command: click.Command


def documented() -> Iterator[Documented]:
    """Yield all commands. A group is followed by the commands in it."""
    context = click.Context(program, info_name=PROGRAM)
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        if command is None or not getattr(command.callback, "__module__", "").startswith(OURS):
            continue
        yield Documented(f"{PROGRAM} {name}", command)
        if isinstance(command, click.Group):
            for inner_name, inner in command.commands.items():
                yield Documented(f"{PROGRAM} {name} {inner_name}", inner)


def reference() -> str:
    """Return the generated part of the page."""
    return "## Reference\n" + "".join(map(_section, documented()))


def page() -> str:
    """Return the whole page: the manually written part and the reference."""
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
    """Return a help text as Markdown. Paragraphs that click does not wrap become code blocks."""
    paragraphs = []
    for paragraph in text.strip().split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines()]
        if "\b" in lines:
            block = [line for line in paragraph.splitlines() if line.strip() != "\b"]
            paragraphs.append("```text\n" + "\n".join(block) + "\n```\n")
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
