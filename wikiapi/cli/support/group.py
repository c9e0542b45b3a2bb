"""A click group that imports a command when it is requested, and knows the plugins' commands."""

from __future__ import annotations

import difflib
import os
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import click

from wikiapi.cli.support.advice import Failure, Interrupted
from wikiapi.dump.garbage import collected_rarely
from wikiapi.errors import PluginError, WikiapiError
from wikiapi.plugins import make_plugin_manager

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class CommandSpec:
    """A command and where it lives; its module holds it under the name ``command``."""

    name: str
    module: str

    def load(self) -> click.Command:
        """Import the command."""
        # A tenth of the time would go into looking for garbage among modules in the making.
        with collected_rarely():
            return cast("click.Command", import_module(self.module).command)


class CommandGroup(click.Group):
    """Commands from declarations, and from the hook ``register_commands`` where ``plugins`` is set.

    An error of our own ends the program with its text, what to do next and status 1, without a
    traceback; Ctrl-C with status 130. Nothing is coloured where ``NO_COLOR`` is set.
    """

    def __init__(
        self, *args: Any, specs: Iterable[CommandSpec] = (), plugins: bool = False, **kwargs: Any
    ) -> None:
        """Take the declarations; nothing is imported yet."""
        super().__init__(*args, **kwargs)
        self._specs = {spec.name: spec for spec in specs}
        self._plugins = plugins

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._specs, *sorted(self._plugin_commands(ctx))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if spec := self._specs.get(cmd_name):
            return spec.load()
        return self._plugin_commands(ctx).get(cmd_name)

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
            ctx.color = False  # https://no-color.org; a pipe is noticed by click itself
        try:
            return super().invoke(ctx)
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
        # A broken plugin must not take the built-in commands with it: they help to find it.
        scratch = click.Group()
        try:
            make_plugin_manager().hook.register_commands(cli=scratch)
            self._refuse_taken_names(scratch)
        except PluginError as error:
            click.echo(f"Warning: {error}", file=sys.stderr)
            return {}
        return dict(scratch.commands)

    def _refuse_taken_names(self, scratch: click.Group) -> None:
        taken = self._specs.keys() & scratch.commands.keys()
        if taken:
            raise PluginError(f"register_commands: {min(taken)!r} is a command of wikiapi itself")
