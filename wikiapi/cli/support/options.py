"""Options that several commands share, and how they become a configuration."""

from __future__ import annotations

import functools
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wikiapi.config import Config, load_config
from wikiapi.dump.source import STDIN, open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wikiapi.dump.xml.titles import RefusedTitles


DEFAULT_CONFIG = Path("wikiapi.toml")


def configured(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command ``--config`` and ``--database``; it gets the ``config`` they make."""

    @click.option(
        "--config",
        "path",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Configuration file; wikiapi.toml of this folder when there is one.",
    )
    @click.option("--database", metavar="URL", help="Database to use instead of the configured.")
    @functools.wraps(command)
    def wrapper(path: Path | None, database: str | None, **options: Any) -> None:
        command(config=read_config(path, database), **options)

    return wrapper


def read_config(path: Path | None, database: str | None = None) -> Config:
    """The configuration of a file, or of ``wikiapi.toml`` here, or the defaults.

    Args:
        path: the file, or ``None`` to look for one.
        database: a database URL that takes the place of the configured one.

    Raises:
        ConfigError: the file is not a valid configuration.
    """
    if path is None and DEFAULT_CONFIG.is_file():
        path = DEFAULT_CONFIG
    config = load_config(path) if path else Config()
    return replace(config, database=replace(config.database, url=database)) if database else config


class Example(NamedTuple):
    """A command line as somebody types it, and what it is for."""

    line: str
    meaning: str


class Command(click.Command):
    """A command with examples."""

    def __init__(self, *args: Any, examples: Iterable[tuple[str, str]] = (), **kwargs: Any) -> None:
        """Take pairs of a command line and its meaning."""
        super().__init__(*args, **kwargs)
        self.examples = tuple(Example(*pair) for pair in examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for example in self.examples:
                # As they are: a line that is broken in the midst cannot be copied.
                formatter.write(f"  {example.line}\n")
                formatter.write(f"      {example.meaning}\n")


def refuse_unreadable(names: Iterable[str]) -> None:
    """A name that is mistyped should be told at once, before anything is made or looked at.

    Raises:
        DumpError: one of the files cannot be read.
    """
    for name in names:
        # A pipe can be opened once only, so nothing is opened that might be one.
        if name != STDIN and not (Path(name).is_dir() or os.access(name, os.R_OK)):
            open_source(name)


def warn_of_titles(refused: RefusedTitles) -> None:
    """Tell which pages were left out because of their titles."""
    for title in refused:
        click.echo(f"Warning: left out, no page can be called {title!r}", err=True)
    if refused.total > len(refused):
        click.echo(f"Warning: left out {refused.total - len(refused)} pages more", err=True)


if TYPE_CHECKING:
    _TextType = click.ParamType[str]
else:
    _TextType = click.ParamType  # generic since click 8.5 only


class Text(_TextType):
    """Text in UTF-8. Other bytes come from the shell as lone surrogates, which cannot be sent."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is no UTF-8", param, ctx)
        return text


TEXT = Text()


# Escape sequences begin with one of these: C0 and C1 controls but tab and line feed.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """The text with U+FFFD for every control character, those for writing direction included."""
    return _CONTROLS.sub("\ufffd", text)
