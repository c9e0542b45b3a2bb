"""The wiki's own files: the folder they lie in, and whether the pages' pictures can be shown."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from peewee import fn

from wikiapi.cli.doctor.declaration import note, problem
from wikiapi.store.models import Image

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config
    from wikiapi.site import Site
    from wikiapi.store.check.finding import Finding

_NAME = "files"


def check_folder(config: Config) -> Iterator[Finding]:
    """The upload folder, where one is named, can be read."""
    folder = config.files.folder
    if not folder:
        return
    if not Path(folder).is_dir():
        advice = "Correct files.folder; `wikiapi import-files` copies files into it."
        yield problem(_NAME, f"files.folder is {folder!r}, which is no folder", advice)
    elif not os.access(folder, os.R_OK | os.X_OK):
        advice = "Run wikiapi as a user who may read it, or change its permissions."
        yield problem(_NAME, f"files.folder, {folder!r}, cannot be read", advice)


def check_stored(site: Site) -> Iterator[Finding]:
    """Files of the store lie somewhere."""
    count = int(site.db.scalar(Image.select(fn.COUNT(Image.img_name))))
    if count and not site.config.files.folder and site.config.files.url.startswith("/"):
        text = f"there are {count} files, and no folder that they are served from"
        advice = "Set folder in [files], or url to the address where they are."
        yield note(_NAME, text, advice)
