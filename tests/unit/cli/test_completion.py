"""Completion, as a shell asks for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import COMMANDS, main
from wikiapi.cli.completion import SHELLS, VARIABLE, completer


def completed(words: str, incomplete: str = "") -> list[str]:
    items = completer(main, "bash").get_completions(words.split(), incomplete)
    return [item.value for item in items]


@pytest.mark.parametrize("shell", SHELLS)
def test_script_calls_the_program(wikiapi: Callable[..., Result], shell: str) -> None:
    result = wikiapi("completion", shell)
    assert result.exit_code == 0
    assert VARIABLE in result.output
    assert "wikiapi" in result.output


def test_unknown_shell_is_refused_with_those_there_are(wikiapi: Callable[..., Result]) -> None:
    result = wikiapi("completion", "csh")
    assert result.exit_code == 2
    assert "'bash', 'zsh', 'fish'" in result.output


def test_commands_are_completed() -> None:
    assert set(completed("")) >= {spec.name for spec in COMMANDS}
    assert completed("", "do") == ["doctor"]


@pytest.mark.parametrize(
    ("words", "incomplete", "expected"),
    [
        ("search", "--n", ["--namespace"]),
        ("parse --stage", "ti", ["tidy"]),
        ("completion", "z", ["zsh"]),
        ("db", "u", ["upgrade"]),
    ],
)
def test_options_and_values_are_completed(words: str, incomplete: str, expected: list[str]) -> None:
    assert completed(words, incomplete) == expected


def test_the_shell_is_answered() -> None:
    environment = {VARIABLE: "bash_complete", "COMP_WORDS": "wikiapi doc", "COMP_CWORD": "1"}
    result = CliRunner(env=environment).invoke(main, prog_name="wikiapi")
    assert result.output == "plain,doctor\n"
