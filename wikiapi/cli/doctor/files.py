"""Checks of the wiki's own files and of foreign repositories."""

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
from wikiapi.texts import counted

_NAME = "files"
_CORRECT = "Correct files.folder; `wikiapi import-files` copies files into it."


def check_folder(config: Config) -> Iterator[Finding]:
    """Check that the upload folder, if configured, can be read."""
    folder = config.files.folder
    if not folder or not Path(folder).exists():  # importing the first file creates it
        return
    if not Path(folder).is_dir():
        yield problem(_NAME, f"files.folder is {folder!r}, which is not a folder", _CORRECT)
    elif not os.access(folder, os.R_OK | os.X_OK):
        advice = "Run wikiapi as a user with read permission, or change the permissions."
        yield problem(_NAME, f"files.folder, {folder!r}, cannot be read", advice)


def check_stored(site: Site) -> Iterator[Finding]:
    """Check that there is a folder or URL for the files in the store."""
    count = int(site.db.scalar(Image.select(fn.COUNT(Image.img_name))))
    folder = site.config.files.folder
    if count and folder and not Path(folder).exists():
        yield problem(_NAME, f"files.folder is {folder!r}, which does not exist", _CORRECT)
    if count and not folder and site.config.files.url.startswith("/"):
        text = f"the store has {counted(count, 'file')}, but no folder to serve from"
        advice = "Set folder in [files], or set url to their address."
        yield note(_NAME, text, advice)


_REPOSITORIES = "repositories"
_LONG_WAIT = 30


def check_repositories(config: Config) -> Iterator[Finding]:
    """Check the names, timeouts and addresses of repositories."""
    own = config.server + config.site.script_path + "/api.php"
    names = Counter(entry.name for entry in config.repositories)
    for name, count in names.items():
        if count > 1:
            text = f"{count} repositories are called {name!r}"
            yield problem(_REPOSITORIES, text, "Give each a different name.")
    for entry in config.repositories:
        yield from _address_problems(entry, own)
        if entry.timeout > _LONG_WAIT:
            text = f"a request may wait {entry.timeout:g} seconds for it"
            yield warning(_REPOSITORIES, text, "Set its timeout to about 5 seconds.", entry.name)


def _address_problems(entry: RepositoryConfig, own: str) -> Iterator[Finding]:
    parts = urlsplit(entry.api)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        advice = 'Write the full address: api = "https://commons.wikimedia.org/w/api.php".'
        yield problem(_REPOSITORIES, f"its address is {entry.api!r}", advice, place=entry.name)
        return
    if entry.api == own:
        yield problem(_REPOSITORIES, "it is the wiki itself", "Remove it.", place=entry.name)
    if not parts.path.endswith("api.php"):
        advice = "Write the address of its api.php, as shown by Special:Version of that wiki."
        yield warning(_REPOSITORIES, f"{entry.api} does not end in api.php", advice, entry.name)
    if _is_private(parts.hostname) and not entry.allow_private:
        advice = "Set allow_private = true for it if you trust that network."
        yield problem(
            _REPOSITORIES, f"{parts.hostname} is in a private network", advice, place=entry.name
        )


def _is_private(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
