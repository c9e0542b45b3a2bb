"""Dumps that are named on the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wikiapi.dump.source import STDIN, open_source

if TYPE_CHECKING:
    from collections.abc import Iterable


def refuse_unreadable(names: Iterable[str]) -> None:
    """A name that is mistyped should be told at once, before anything is made or looked at.

    Raises:
        DumpError: one of the files cannot be read.
    """
    for name in names:
        # A pipe can be opened once only, so nothing is opened that might be one.
        if name != STDIN and not (Path(name).is_dir() or os.access(name, os.R_OK)):
            open_source(name)
