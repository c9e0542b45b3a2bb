"""Whether a command line of the documentation can be right, found out without running it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec

import click

from tests.docs.fences import ROOT
from tests.meta.test_packaging import read_setup_cfg
from wikiapi.cli import main

PLAIN = frozenset({"ls", "head", "cat", "cd", "cp", "curl", "echo", "mkdir"})
"""Programs that every system has, or whose use here is as plain as it looks."""

NOT_CHECKED = {
    "composer": "downloads packages",
    "dask": "the same commands are run by tests/clusters.py",
    "certbot": "asks an authority on the network",
    "gunicorn": "its configuration is run by tests/examples/test_embedding.py",
    "mariadb": "needs a server",
    "php": "the same program is run by tests/clients/test_parsoid.py",
    "nginx": "its configuration is run by tests/meta/test_deployment.py",
    "schemathesis": "the same checks are run by the tests of the OpenAPI description",
    "systemctl": "needs systemd",
    "uwsgi": "its configuration is run by tests/examples/test_embedding.py",
    "zimcheck": "run by tests/plugins/export",
}
"""Programs that are taken as they are, and why."""

_TOOLS = frozenset({"pytest", "ruff", "mypy", "lint-imports"})
_SUBSHELL = re.compile(r"\$\(([^()]+)\)")
_SEPARATORS = frozenset({"|", "||", "&&", ";", "&"})
_REDIRECTIONS = frozenset({">", ">>", "<"})
_EXTRAS = re.compile(r"wikiapi(?:-server)?\[([^\]]*)\]|^\.\[([^\]]*)\]")
_ANOTHER_PROJECT = re.compile(r"wikiapi(?![-\w/])")
_ASSIGNMENT = re.compile(r"\w+=.*", re.DOTALL)


def problems(line: str) -> Iterator[str]:
    """Yield the problems of a line."""
    for inner in _SUBSHELL.findall(line):
        yield from problems(inner)
    for words in commands(line):
        yield from _problems(words)


def commands(line: str) -> Iterator[list[str]]:
    """Yield the commands of a line, without what they are redirected to."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    command: list[str] = []
    for word in lexer:
        if word in _SEPARATORS:
            yield command
            command = []
        elif word in _REDIRECTIONS:
            lexer.get_token()
        elif command or not _ASSIGNMENT.fullmatch(word):
            command.append(word)
    if command:
        yield command


def programs(line: str) -> set[str]:
    """Return the programs that a line runs."""
    return {_program(words) for words in commands(line) if words}


def _program(words: Sequence[str]) -> str:
    if words[0] == "sudo":
        return _program(words[1:])
    return words[0].rpartition("/")[2]


def _problems(words: Sequence[str]) -> Iterator[str]:
    if not words:
        return
    if words[0] == "sudo":
        words = words[1:]
    program, arguments = _program(words), list(words[1:])
    if program in _CHECKS:
        yield from _CHECKS[program](arguments)
    elif program not in PLAIN | _TOOLS | NOT_CHECKED.keys() and not program.startswith("."):
        yield f"an unknown program: {program}"


def _wikiapi(arguments: list[str]) -> Iterator[str]:
    command: click.Command = main
    context = click.Context(main, info_name="wikiapi")
    while isinstance(command, click.Group) and arguments:
        if arguments[0].startswith("-"):
            break
        name = arguments.pop(0)
        subcommand = command.get_command(context, name)
        if subcommand is None:
            # The plugin that is written as an example has a command of its own.
            if name != "wordcount":
                yield f"wikiapi has no command {name}"
            return
        command = subcommand
        context = click.Context(command, info_name=name, parent=context)
    try:
        parsed, rest, _ = command.make_parser(context).parse_args(arguments)
    except click.UsageError as error:
        yield f"wikiapi: {error.format_message()}"
        return
    if rest and not isinstance(command, click.Group):
        yield f"{command.name} takes no {rest}"
    yield from _values(command, context, parsed)


def _values(
    command: click.Command, context: click.Context, parsed: dict[str, object]
) -> Iterator[str]:
    """Yield the missing parameters; files need not exist."""
    for parameter in command.params:
        value = parsed.get(parameter.name or "")
        has_value = isinstance(value, str | int | list | tuple) and value not in ("", [], ())
        if parameter.required and not has_value and not isinstance(command, click.Group):
            yield f"{command.name} lacks {parameter.name}"
        if isinstance(value, str) and not isinstance(parameter.type, click.Path | click.File):
            try:
                parameter.type_cast_value(context, value)
            except click.UsageError as error:
                yield f"{command.name}: {error.format_message()}"


def _make(arguments: list[str]) -> Iterator[str]:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE))
    variables = set(re.findall(r"\$[({](\w+)|\$\(if \$\((\w+)\)", text))
    names = {name for pair in variables for name in pair}
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if name not in (names if equals else targets):
            yield f"make knows no {argument}"


def _pip(arguments: list[str]) -> Iterator[str]:
    extras = read_setup_cfg()["options.extras_require"].keys()
    for argument in arguments:
        if _ANOTHER_PROJECT.match(argument):
            yield f"{argument} is another project on the package index"
        if match := _EXTRAS.search(argument):
            named = set((match[1] or match[2]).split(","))
            if unknown := named - extras:
                yield f"wikiapi has no extra {sorted(unknown)}"


def _python(arguments: list[str]) -> Iterator[str]:
    match arguments:
        case ["-m", "venv", *_]:
            return
        case ["-m", "pip", *rest]:
            yield from _pip(rest)
        case ["-m", module, *_]:
            if find_spec(module) is None:
                yield f"there is no module {module}"
        case ["-c", code, *_]:
            compile(code, "<documentation>", "exec")
        case [file, *_] if not file.endswith(".py"):
            yield f"python runs no {file}"


_CHECKS: dict[str, Callable[[list[str]], Iterator[str]]] = {
    "wikiapi": _wikiapi,
    "make": _make,
    "pip": _pip,
    "python": _python,
    "python3": _python,
    "eval": lambda arguments: iter(()),
}
