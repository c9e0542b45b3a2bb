"""The wiki's own files: the folder they lie in, and whether the pages' pictures can be shown."""

from __future__ import annotations

import ipaddress
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from peewee import fn

from wikiapi.cli.doctor.declaration import note, problem, warning
from wikiapi.config import Config, RepositoryConfig
from wikiapi.site import Site
from wikiapi.store.check.finding import Finding
from wikiapi.store.models import Image

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


_REPOSITORIES = "repositories"
_LONG_WAIT = 30


def check_repositories(config: Config) -> Iterator[Finding]:
    """Each has an address of its own that can be asked."""
    own = config.server + config.site.script_path + "/api.php"
    names = Counter(entry.name for entry in config.repositories)
    for name, count in names.items():
        if count > 1:
            text = f"{count} repositories are called {name!r}"
            yield problem(_REPOSITORIES, text, "Give each a name of its own.")
    for entry in config.repositories:
        yield from _address_problems(entry, own)
        if entry.timeout > _LONG_WAIT:
            text = f"a request may wait {entry.timeout:g} seconds for it"
            yield warning(_REPOSITORIES, text, "Set its timeout to 5 seconds or so.", entry.name)


def _address_problems(entry: RepositoryConfig, own: str) -> Iterator[Finding]:
    parts = urlsplit(entry.api)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        advice = 'Write the whole address: api = "https://commons.wikimedia.org/w/api.php".'
        yield problem(_REPOSITORIES, f"its address is {entry.api!r}", advice, place=entry.name)
        return
    if entry.api == own:
        yield problem(_REPOSITORIES, "it is the wiki itself", "Remove it.", place=entry.name)
    if not parts.path.endswith("api.php"):
        advice = "Write the address of its api.php, which Special:Version of that wiki tells."
        yield warning(_REPOSITORIES, f"{entry.api} does not end in api.php", advice, entry.name)
    if _is_private(parts.hostname) and not entry.allow_private:
        advice = "Set allow_private = true for it if you trust that network."
        yield problem(
            _REPOSITORIES, f"{parts.hostname} lies in a private network", advice, place=entry.name
        )


def _is_private(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
