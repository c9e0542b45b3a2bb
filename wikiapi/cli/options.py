"""Options that several commands share, and how they become a configuration."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikiapi.config import Config, load_config

if TYPE_CHECKING:
    from collections.abc import Callable

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
