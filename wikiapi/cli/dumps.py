"""Dumps that are named on the command line, and what is told of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikiapi.dump.source import STDIN, open_source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.dump.titles import RefusedTitles


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
