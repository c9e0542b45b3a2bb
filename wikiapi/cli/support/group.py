"""The group of the commands: those of the core and those of plugins."""

from __future__ import annotations

import difflib
import os
import sys
from importlib import import_module
from typing import Any, cast

import click
from click.shell_completion import CompletionItem

from wikiapi.cli.support.advice import Failure, Interrupted, Misused
from wikiapi.errors import PluginError, WikiapiError
from wikiapi.heap import collected_rarely
from wikiapi.plugins import BUILTIN, bundled, make_plugin_manager

__all__ = ["CommandGroup", "LazyCommand"]

_HELP_WIDTH = 78


class LazyCommand(click.Command):
    """A command that is imported from a module, as ``command``, only when it is used.

    ``help`` is the text in the list of commands, so that the list can be shown without the import.
    """

    def __init__(self, name: str, module: str, help: str) -> None:
        """Initialise the command with its name, the name of its module, and its short help."""
        super().__init__(name, short_help=help)
        self.module = module

    def load(self) -> click.Command:
        """Import the command and return it."""
        # Otherwise garbage collection takes a tenth of the time of the import.
        with collected_rarely():
            return cast("click.Command", import_module(self.module).command)


class CommandGroup(click.Group):
    """A group of commands and, if ``plugins`` is true, those that plugins add with the hook.

    Errors of wikiapi are shown with advice instead of a traceback, and the exit status is 1. Usage
    errors are shown in one line, and the exit status is 2. After Ctrl-C it is 130. The environment
    variable ``NO_COLOR`` disables colours.
    """

    def __init__(self, *args: Any, plugins: bool = False, **kwargs: Any) -> None:
        """Initialise the group without commands."""
        super().__init__(*args, **kwargs)
        self._plugins = plugins

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command.

        Raises:
            PluginError: the group has a command of this name.
        """
        if (name or cmd.name) in self.commands:
            raise PluginError(f"register_commands: there is a command {name or cmd.name!r} already")
        super().add_command(cmd, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *sorted(self._plugin_commands(ctx))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = self._declared(ctx, cmd_name)
        return command.load() if isinstance(command, LazyCommand) else command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._help_of(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self._help_of(ctx, name)) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def _help_of(self, ctx: click.Context, name: str) -> str:
        command = self._declared(ctx, name)
        return command.get_short_help_str(_HELP_WIDTH) if command else ""

    def _declared(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a command, which may be lazy."""
        return self.commands.get(name) or self._plugin_commands(ctx).get(name)

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
            # The core's commands must work with a broken plugin, since they help to find it. Of the
            # bundled plugins, the built-in one adds all commands: importing the others takes a
            # second.
            scratch = CommandGroup(commands=dict(self.commands))
            try:
                plugins = make_plugin_manager(disabled=set(bundled()) - {BUILTIN})
                plugins.hook.register_commands(cli=scratch)
            except PluginError as error:
                click.echo(f"Warning: {error}", file=sys.stderr)
            commands = ctx.meta[__name__] = {
                name: command
                for name, command in scratch.commands.items()
                if name not in self.commands
            }
        return commands
