"""A click group that imports commands lazily and includes the commands of plugins."""

from __future__ import annotations

import difflib
import os
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import click
from click.shell_completion import CompletionItem

from wikiapi.cli.support.advice import Failure, Interrupted, Misused
from wikiapi.errors import PluginError, WikiapiError
from wikiapi.heap import collected_rarely
from wikiapi.plugins import bundled, make_plugin_manager

if TYPE_CHECKING:
    from collections.abc import Iterable


_HELP_WIDTH = 78


@dataclass(frozen=True)
class CommandSpec:
    """The name of a command and of the module that defines it as ``command``.

    ``help`` is the text in the list of commands, so that the list can be shown without importing
    the commands.
    """

    name: str
    module: str
    help: str = ""

    def load(self) -> click.Command:
        """Import the command and return it."""
        # Otherwise garbage collection takes a tenth of the time of the import.
        with collected_rarely():
            return cast("click.Command", import_module(self.module).command)


class CommandGroup(click.Group):
    """A group of declared commands and, if ``plugins`` is true, those of ``register_commands``.

    Errors of wikiapi are shown with advice instead of a traceback, and the exit status is 1. Usage
    errors are shown in one line, and the exit status is 2. After Ctrl-C it is 130. The environment
    variable ``NO_COLOR`` disables colours.
    """

    def __init__(
        self, *args: Any, specs: Iterable[CommandSpec] = (), plugins: bool = False, **kwargs: Any
    ) -> None:
        """Initialise the group with declarations, without importing the commands."""
        super().__init__(*args, **kwargs)
        self._specs = {spec.name: spec for spec in specs}
        self._plugins = plugins

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._specs, *sorted(self._plugin_commands(ctx))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if spec := self._specs.get(cmd_name):
            return spec.load()
        return self._plugin_commands(ctx).get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._help_of(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self._help_of(ctx, name)) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def _help_of(self, ctx: click.Context, name: str) -> str:
        spec = self._specs.get(name)
        if spec and spec.help:
            return spec.help
        command = self.get_command(ctx, name)
        return command.get_short_help_str(_HELP_WIDTH) if command else ""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            raise Misused.of(error) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            close = difflib.get_close_matches(args[0], self.list_commands(ctx), 1)
            if not close:
                raise
            text = f"No such command {args[0]!r}. Did you mean {close[0]!r}?"
            raise click.UsageError(text, ctx) from error

    def invoke(self, ctx: click.Context) -> Any:
        if os.environ.get("NO_COLOR"):
            ctx.color = False  # https://no-color.org; click itself detects pipes
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise Misused.of(error) from error
        except WikiapiError as error:
            raise Failure.of(error) from error
        except KeyboardInterrupt:
            raise Interrupted from None

    def _plugin_commands(self, ctx: click.Context) -> dict[str, click.Command]:
        if not self._plugins:
            return {}
        commands: dict[str, click.Command] | None = ctx.meta.get(__name__)
        if commands is None:
            commands = ctx.meta[__name__] = self._load_plugin_commands()
        return commands

    def _load_plugin_commands(self) -> dict[str, click.Command]:
        # The built-in commands must work with a broken plugin, since they help to find it. Bundled
        # plugins add no commands and are skipped, because importing them takes a second.
        scratch = click.Group()
        try:
            make_plugin_manager(disabled=bundled()).hook.register_commands(cli=scratch)
            self._refuse_taken_names(scratch)
        except PluginError as error:
            click.echo(f"Warning: {error}", file=sys.stderr)
            return {}
        return dict(scratch.commands)

    def _refuse_taken_names(self, scratch: click.Group) -> None:
        taken = self._specs.keys() & scratch.commands.keys()
        if taken:
            raise PluginError(f"register_commands: {min(taken)!r} is a command of wikiapi itself")
