"""The declaration that all wikis of a project share, from pytest's settings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from wikiapi.importing.folder import read_folder
from wikiapi.testing.clock import NOW
from wikiapi.testing.declaration import Declaration, Edit
from wikiapi.testing.sites import make_site


def from_settings(configs: Sequence[Path], folders: Sequence[Path], clock: str) -> Declaration:
    """Return the declaration for all wikis: settings, pages in folders, and the initial time.

    Raises:
        ConfigError: a setting is wrong.
        DumpError: a page cannot be read.
    """
    declaration = Declaration(clock=clock or NOW)
    for file in configs:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
        # Tests never use the configured database.
        settings.pop("database", None)
        if folder := settings.get("files", {}).get("folder"):
            settings["files"]["folder"] = str(file.parent / folder)
        if texts := settings.get("messages", {}).get("folders"):
            settings["messages"]["folders"] = [str(file.parent / each) for each in texts]
        declaration = declaration.with_more(config=settings)
    return (
        declaration.with_more(pages=_pages(folders, declaration.config)) if folders else declaration
    )


def _pages(folders: Sequence[Path], config: Mapping[str, Any]) -> dict[str, Edit]:
    site = make_site(config=config)
    with closing(site.db):
        return {
            file.title.prefixed_text: Edit(file.text, model=file.model)
            for folder in folders
            for file in read_folder(site, folder)
        }
