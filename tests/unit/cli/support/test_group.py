from __future__ import annotations

from collections.abc import Callable

import click
import pluggy
import pytest
from click.testing import CliRunner

from wikiapi.cli import COMMANDS, main
from wikiapi.cli.support import group
from wikiapi.cli.support.group import CommandGroup, CommandSpec
from wikiapi.errors import PluginError, StoreError
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import make_plugin_manager


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
        def manager() -> pluggy.PluginManager:
            return make_plugin_manager(extra=[plugin])

        monkeypatch.setattr(group, "make_plugin_manager", manager)

    return install


def test_help_lists_every_declared_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for spec in COMMANDS:
        assert f"\n  {spec.name} " in result.output


@pytest.mark.parametrize("spec", COMMANDS, ids=lambda spec: spec.name)
def test_every_command_has_help(spec: CommandSpec) -> None:
    result = CliRunner().invoke(main, [spec.name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {spec.name} ")
    assert spec.load().get_short_help_str()


def test_plugin_adds_a_command(with_plugin: Callable[[object], None]) -> None:
    with_plugin(AddsAnswer())
    assert CliRunner().invoke(main, ["answer"]).output == "42\n"
    assert "\n  answer " in CliRunner().invoke(main, ["--help"]).output


def test_plugin_cannot_take_a_name_of_ours(with_plugin: Callable[[object], None]) -> None:
    with_plugin(TakesServe())
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "Warning: register_commands: 'serve' is a command of wikiapi itself" in result.output


def test_broken_plugin_leaves_the_commands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> pluggy.PluginManager:
        raise PluginError("plugin x (x 1.0) cannot be loaded: no")

    monkeypatch.setattr(group, "make_plugin_manager", broken)
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "plugin x (x 1.0)" in result.output
    assert "\n  serve " in result.output


def test_unknown_command_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["no-such-command"]).exit_code == 2


def test_mistyped_command_is_guessed() -> None:
    output = CliRunner().invoke(main, ["serch"]).output
    assert output.endswith("Did you mean 'search'?\n")
    assert "Did you mean" not in CliRunner().invoke(main, ["qqq"]).output


def test_help_says_where_to_begin() -> None:
    output = CliRunner().invoke(main, ["--help"]).output
    assert "`wikiapi import DUMP` creates a store" in output


def test_error_of_ours_is_shown_without_a_traceback() -> None:
    result = CliRunner().invoke(cli_with(fail), ["fail"])
    assert result.exit_code == 1
    assert result.output == "Error: no such store\n"


def cli_with(command: click.Command) -> CommandGroup:
    class Spec(CommandSpec):
        def load(self) -> click.Command:
            return command

    return CommandGroup(name="x", specs=[Spec("fail", "")])
