"""As much of a shell as the examples of the documentation need, in this process."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from wikiapi.cli import main

ANY = "…"
_EVAL = re.compile(r'eval "\$\((?P<inner>.*)\)"')


class Outcome(NamedTuple):
    """What a command line printed, errors included, and its status."""

    output: str
    status: int


def output_matches(expected: str, actual: str) -> bool:
    """Return whether an output is the expected one, in which ANY represents any text."""
    pattern = ".*?".join(map(re.escape, expected.rstrip("\n").split(ANY)))
    return re.fullmatch(pattern, actual.rstrip("\n"), re.DOTALL) is not None


def run(line: str) -> Outcome:
    """Run a command line: ``wikiapi``, ``cp`` and ``echo``, with ``|``, ``<`` and ``>``."""
    if match := _EVAL.fullmatch(line):
        return run(match["inner"])
    words = shlex.shlex(line, posix=True, punctuation_chars="|<>")
    words.whitespace_split = True
    target, commands, stdin = "", [list[str]()], ""
    for word in words:
        if word == "|":
            commands.append([])
        elif word == ">":
            target = words.get_token() or ""
        elif word == "<":
            stdin = Path(words.get_token() or "").read_text()
        else:
            commands[-1].append(word)
    outcome = Outcome(stdin, 0)
    for command in commands:
        outcome = _run(command, outcome.output)
    if not target:
        return outcome
    Path(target).expanduser().write_text(outcome.output, encoding="utf-8")
    return Outcome("", outcome.status)


def _run(words: list[str], stdin: str) -> Outcome:
    match words:
        case ["wikiapi", *arguments]:
            result = CliRunner().invoke(main, arguments, input=stdin, prog_name="wikiapi")
            if result.exception and not isinstance(result.exception, SystemExit):
                raise result.exception
            return Outcome(result.output, result.exit_code)
        case ["echo", text]:
            return Outcome(f"{text}\n", 0)
        case ["cp", source, target]:
            Path(target).write_bytes(Path(source).read_bytes())
            return Outcome("", 0)
    raise ValueError(f"the documentation uses a command not known here: {words}")
