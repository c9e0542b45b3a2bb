"""Options that several commands share, and the configuration that results from them."""

from __future__ import annotations

import functools
import math
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from wikiapi.config import CONFIG_NAME, Config, Range, load_config, permitted, settings_beside
from wikiapi.errors import ConfigError, InvalidSetting
from wikiapi.importing import RECENT_DAYS
from wikiapi.importing.source import STDIN, open_source
from wikiapi.texts import counted

__all__ = ["Command", "cluster_option", "configured", "jobs_option"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wikiapi.importing.convert import RefusedTitles


DEFAULT_CONFIG = Path(CONFIG_NAME)
_SCHEMES = ("sqlite", "mysql", "mariadb", "postgresql", "postgres")


def database_url(text: str) -> str:
    """Return a text unchanged if it is a database URL, else as the path of an SQLite file."""
    scheme, colon, _ = text.partition(":")
    return text if colon and scheme in _SCHEMES else f"sqlite:///{text}"


if TYPE_CHECKING:
    _TextType = click.ParamType[str]
else:
    _TextType = click.ParamType  # generic since click 8.5 only


class DatabaseParam(_TextType):
    """A database URL or the path of an SQLite file, with completion of files."""

    name = "database"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return database_url(str(value))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


DATABASE = DatabaseParam()


def file_of_folder(_ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    """Return the configuration file in a folder; other paths unchanged.

    Raises:
        BadParameter: the folder has none.
    """
    if path is None or not path.is_dir():
        return path
    file = path / CONFIG_NAME
    if not file.is_file():
        raise click.BadParameter(f"the folder {path} has no {CONFIG_NAME}")
    return file


def configured(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command with ``--config`` and ``--database``, and pass it the ``config``."""

    @click.option(
        "--config",
        "path",
        type=click.Path(exists=True, path_type=Path),
        callback=file_of_folder,
        help="Configuration file, or a folder with a wikiapi.toml. Defaults to wikiapi.toml in the"
        " current folder, or in the folder of --database, if it exists.",
    )
    @click.option(
        "--database",
        metavar="PATH|URL",
        type=DATABASE,
        help="Database to use instead of the configured one: an SQLite file, or a URL.",
    )
    @functools.wraps(command)
    def wrapper(path: Path | None, database: str | None, **options: Any) -> None:
        try:
            command(config=read_config(path, database), **options)
        except InvalidSetting as error:
            raise ConfigError(f"{path or DEFAULT_CONFIG}: {error}") from error

    return wrapper


def read_config(path: Path | None, database: str | None = None) -> Config:
    """Return the configuration in a file, in ``wikiapi.toml`` here or beside the database.

    Args:
        path: the file, or ``None`` to use ``wikiapi.toml``; if there is none, the one in the folder
            of the database that is used, or the defaults.
        database: a database URL that overrides the configured one.

    Raises:
        ConfigError: the file is not a valid configuration.
    """
    if path is None and DEFAULT_CONFIG.is_file():
        path = DEFAULT_CONFIG
    config = load_config(path) if path else settings_beside(database or "")
    return replace(config, database=replace(config.database, url=database)) if database else config


def setting_range(cls: type, name: str) -> click.IntRange:
    """Return the type of an option that overrides a setting: a number in the setting's range."""
    accepted = permitted(cls, name)
    assert isinstance(accepted, Range)
    most = None if math.isinf(accepted.most) else int(accepted.most)
    return click.IntRange(int(accepted.least), most)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def jobs_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with ``--jobs``."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=processors,
        show_default="one for each core",
        help="Number of processes that parse pages.",
    )(command)


def cluster_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with ``--cluster``."""
    return click.option(
        "--cluster",
        metavar="URL",
        default="",
        help="Address of the scheduler of a Dask cluster, such as tcp://host:8786, whose workers"
        " parse the pages instead of processes here. They need the same versions and the database.",
    )(command)


def recent_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with ``--recent-days``."""
    return click.option(
        "--recent-days",
        type=click.IntRange(0, 36_500),
        default=RECENT_DAYS,
        show_default=True,
        help="Days before the newest change that recent changes cover; 0 leaves them unchanged.",
    )(command)


class Example(NamedTuple):
    """A command line and a description of what it does."""

    line: str
    meaning: str


class Command(click.Command):
    """A command with examples."""

    def __init__(self, *args: Any, examples: Iterable[tuple[str, str]] = (), **kwargs: Any) -> None:
        """Initialise the command with examples: pairs of a command line and its meaning."""
        super().__init__(*args, **kwargs)
        self.examples = tuple(Example(*pair) for pair in examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for example in self.examples:
                # Written without wrapping: a wrapped command line cannot be copied.
                formatter.write(f"  {example.line}\n")
                formatter.write(f"      {example.meaning}\n")


def check_readable(names: Iterable[str]) -> None:
    """Check that all files can be read, before anything is created or read.

    Raises:
        DumpError: one of the files cannot be read.
    """
    for name in names:
        # Readable files are not opened, since a pipe can be opened only once.
        if name != STDIN and not (Path(name).is_dir() or os.access(name, os.R_OK)):
            open_source(name)


def warn_of_titles(refused: RefusedTitles) -> None:
    """Print a warning for each page that was skipped because of its title."""
    for title in refused:
        click.echo(f"Warning: skipped {title!r}, which is not a valid title", err=True)
    if refused.total > len(refused):
        click.echo(
            f"Warning: skipped {counted(refused.total - len(refused), 'more page')}", err=True
        )


class Text(_TextType):
    """UTF-8 text. Other bytes arrive from the shell as lone surrogates, which cannot be sent."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is not UTF-8", param, ctx)
        return text


TEXT = Text()


class Choice(_TextType):
    """One of several names, which are imported only when a value is given or completed."""

    name = "choice"

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        """Initialise the type with the function that returns the names."""
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if ctx is not None and ctx.resilient_parsing:  # a default, while options are completed
            return str(value)
        return click.Choice(list(self._names())).convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return click.Choice(list(self._names())).shell_complete(ctx, param, incomplete)


# C0 and C1 controls except tab and line feed, with which escape sequences begin, and characters
# that change the direction of text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return the text with control characters, also bidirectional ones, replaced by U+FFFD."""
    return _CONTROLS.sub("\ufffd", text)
