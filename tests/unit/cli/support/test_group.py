from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable

import click
import pluggy
import pytest
from click.testing import CliRunner

from wikiapi.cli import COMMANDS, main
from wikiapi.cli.support import group
from wikiapi.cli.support.group import CommandGroup
from wikiapi.errors import PluginError, StoreError
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import BUILTIN, bundled, make_plugin_manager


@click.command()
def answer() -> None:
    """Answer."""
    click.echo("42")


@click.command()
def fail() -> None:
    """Fail."""
    raise StoreError("no such store")


class AddsAnswer:
    @hookimpl
    def register_commands(self, cli: click.Group) -> None:
        cli.add_command(answer, "answer")


class TakesServe:
    @hookimpl
    def register_commands(self, cli: click.Group) -> None:
        cli.add_command(answer, "serve")


@pytest.fixture
def with_plugin(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    def install(plugin: object) -> None:
        def manager(disabled: Iterable[str]) -> pluggy.PluginManager:
            return make_plugin_manager(extra=[plugin], disabled=disabled)

        monkeypatch.setattr(group, "make_plugin_manager", manager)

    return install


def test_help_lists_every_declared_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for spec in COMMANDS:
        assert f"\n  {spec.name} " in result.output


@pytest.mark.parametrize("name", main.list_commands(click.Context(main)))
def test_every_command_has_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {name} ")
    command = main.get_command(click.Context(main), name)
    assert command is not None
    listed = " ".join(CliRunner().invoke(main, ["--help"]).output.split())
    assert f" {name} {command.get_short_help_str(78)}" in listed


def test_help_and_completion_of_names_import_nothing_large() -> None:
    for environment in (
        {},
        {"_WIKIAPI_COMPLETE": "bash_complete", "COMP_WORDS": "wikiapi do", "COMP_CWORD": "1"},
    ):
        program = (
            "import sys; from wikiapi.cli import main\n"
            "try: main(['--help'], prog_name='wikiapi')\n"
            "finally: print(*sys.modules, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "doctor" in done.stdout
        loaded = set(done.stderr.split())
        assert "wikiapi.plugins" in loaded
        assert not loaded & {"wikiapi.site", "wikiapi.store", "peewee", "apsw"}
        assert {name for name in loaded if name.startswith("wikiapi_plugins")} <= {
            "wikiapi_plugins"
        }


_HEAVY = {
    *("apsw", "peewee", "werkzeug"),
    *("wikiapi.api", "wikiapi.http", "wikiapi.site", "wikiapi.store", "wikiapi.wikitext"),
    *("wikiapi_plugins.markdown", "wikiapi_plugins.query", "wikiapi_plugins.wikitext"),
}
_EVERY_HELP = """
import sys
from click.shell_completion import BashComplete
from click.testing import CliRunner
import click
from wikiapi.cli import main

def commands():
    context = click.Context(main)
    for name in main.list_commands(context):
        yield [name]
        for inner in getattr(main.get_command(context, name), "commands", ()):
            yield [name, inner]

for words in commands():
    result = CliRunner().invoke(main, [*words, "--help"])
    assert result.output.startswith("Usage: "), result.output
    options = BashComplete(main, {}, "wikiapi", "").get_completions(words, "--")
    assert "--help" in [item.value for item in options], words
    print(" ".join(words), *sorted(HEAVY & sys.modules.keys()), sep="|")
"""


def test_help_and_completion_of_options_import_nothing_large() -> None:
    program = f"HEAVY = {_HEAVY}\n{_EVERY_HELP}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {words: heavy for words, *heavy in map(_fields, done.stdout.splitlines())}
    assert {spec.name for spec in COMMANDS} < loaded.keys()
    assert {"plugins new", "export", "mcp"} < loaded.keys()
    assert {words: heavy for words, heavy in loaded.items() if heavy} == {}


def _fields(line: str) -> list[str]:
    return line.split("|")


def test_only_the_built_in_plugin_adds_commands() -> None:
    added = make_plugin_manager().hook.register_commands.get_hookimpls()
    assert {each.plugin_name for each in added} & set(bundled()) == {BUILTIN}


def test_plugin_adds_a_command(with_plugin: Callable[[object], None]) -> None:
    with_plugin(AddsAnswer())
    assert CliRunner().invoke(main, ["answer"]).output == "42\n"
    assert "\n  answer " in CliRunner().invoke(main, ["--help"]).output


def test_plugin_cannot_take_a_name_of_ours(with_plugin: Callable[[object], None]) -> None:
    with_plugin(TakesServe())
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "Warning: register_commands: there is a command 'serve' already" in result.output


def test_broken_plugin_leaves_the_commands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(disabled: Iterable[str]) -> pluggy.PluginManager:
        raise PluginError("plugin x (x 1.0) cannot be loaded: no")

    monkeypatch.setattr(group, "make_plugin_manager", broken)
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "plugin x (x 1.0)" in result.output
    assert "\n  serve " in result.output


def test_unknown_command_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["no-such-command"]).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nothing"], "See `main --help`."),
        (["import"], "Missing argument 'DUMP...'. See `main import --help`."),
        (["serve", "--threads", "0"], "See `main serve --help`."),
        (["db", "nothing"], "See `main db --help`."),
        (["get", "--nothing"], "See `main get --help`."),
    ],
)
def test_usage_errors_are_one_line(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert result.output.startswith("Error: ")
    assert result.output.count("\n") == 1
    assert said in result.output


def test_mistyped_command_is_guessed() -> None:
    output = CliRunner().invoke(main, ["serch"]).output
    assert output == ("Error: No such command 'serch'. Did you mean 'search'? See `main --help`.\n")
    assert "Did you mean" not in CliRunner().invoke(main, ["qqq"]).output


def test_help_says_where_to_begin() -> None:
    output = CliRunner().invoke(main, ["--help"]).output
    assert "`wikiapi import DUMP` creates a store" in output


def test_error_of_ours_is_shown_without_a_traceback() -> None:
    result = CliRunner().invoke(cli_with(fail), ["fail"])
    assert result.exit_code == 1
    assert result.output == "Error: no such store\n"


def cli_with(command: click.Command) -> CommandGroup:
    return CommandGroup(name="x", commands={"fail": command})
