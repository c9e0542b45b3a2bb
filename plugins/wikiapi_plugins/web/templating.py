"""The templates of documents, which escape everything except Markup."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def templates_in(folder: Path) -> Environment:
    """Return the templates of a folder; one is read when it is first used, and then kept."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
