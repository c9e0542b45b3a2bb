"""Checks of what the wiki runs with: Python, libraries, cache, server, folders, repositories."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

import apsw
from peewee import fn

from wikiapi.cache.urls import open_cache
from wikiapi.cli.doctor.installation import Installation, note, problem, warning
from wikiapi.config import Config, RepositoryConfig
from wikiapi.errors import ConfigError
from wikiapi.plugins import DISTRIBUTION
from wikiapi.site import Site
from wikiapi.store.check import Finding
from wikiapi.store.models import Image
from wikiapi.texts import counted

_NAME = "environment"
OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 37)
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9][0-9.]*))?", re.ASCII)
_REINSTALL = "`pip install --force-reinstall --only-binary apsw apsw` installs a suitable one."
_NUMBER = re.compile(r"\d+", re.ASCII)


def check_python(_: Installation) -> Iterator[Finding]:
    """Check the version of Python."""
    if sys.version_info < OLDEST_PYTHON:
        version = ".".join(map(str, sys.version_info[:3]))
        text = f"Python {version} is too old"
        yield problem(_NAME, text, "Create a new environment with Python 3.11 or newer.")


def check_dependencies(_: Installation) -> Iterator[Finding]:
    """Check the required libraries."""
    for name, required_version in required():
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield problem(
                _NAME, f"{name} is not installed", f"`pip install '{name}>={required_version}'`"
            )
            continue
        if _numbers(installed) < _numbers(required_version):
            text = f"{name} {installed} is older than {required_version}"
            yield problem(_NAME, text, f"`pip install --upgrade '{name}>={required_version}'`")


def check_sqlite(installation: Installation) -> Iterator[Finding]:
    """Check the SQLite library of APSW, if the store uses SQLite."""
    if installation.config and not installation.config.database.url.startswith("sqlite"):
        return
    version = apsw.sqlite_lib_version()
    if _numbers(version) < OLDEST_SQLITE:
        text = f"SQLite {version} is older than 3.37"
        yield warning(_NAME, text, _REINSTALL)
    if "ENABLE_FTS5" not in apsw.compile_options:
        text = "this SQLite was built without FTS5, which the search needs"
        yield problem(_NAME, text, _REINSTALL)


def required(distribution: str = DISTRIBUTION) -> Iterator[tuple[str, str]]:
    """Yield the name and minimum version of each required library."""
    try:
        requirements = metadata.requires(distribution) or []
    except metadata.PackageNotFoundError:
        return
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        if match and "extra ==" not in requirement:
            yield match[1], match[2] or "0"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(version)[:3]))


_CACHE = "cache"
_EXTRAS = {"redis": "redis", "rediss": "redis", "unix": "redis", "memcached": "memcached"}


def check_cache(config: Config) -> Iterator[Finding]:
    """Check that the cache can be opened. Cache servers are not contacted."""
    try:
        open_cache(config.cache)
    except ConfigError as error:
        yield problem(_CACHE, str(error), _advice(str(error), config.cache.url))


def _advice(text: str, url: str) -> str:
    extra = _EXTRAS.get(urlsplit(url).scheme)
    if extra and "library" in text:
        return f"`pip install 'wikiapi-server[{extra}]'`"
    if "secret_key" in text:
        return "Set secret_key in [cache] to a long random text, the same for all processes."
    return 'Write memory://, redis://HOST:PORT/0 or memcached://HOST:PORT; "" for no cache.'


_SERVER = "server"


def check_listen(config: Config) -> Iterator[Finding]:
    """Check that the server can listen on its address."""
    listen = config.http.listen
    host, port = _address(listen)
    if port is None:
        advice = 'Write host and port: listen = "127.0.0.1:8080".'
        yield problem(_SERVER, f"http.listen is {listen!r}", advice)
        return
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        yield warning(
            _SERVER,
            f"the server cannot listen on {listen}: {error.strerror}",
            "Ignore this if wikiapi is running; otherwise choose another port with"
            " `wikiapi serve --listen 127.0.0.1:PORT`.",
        )


def check_debug_info(config: Config) -> Iterator[Finding]:
    """Check that debug information is not public."""
    http = config.http
    if http.debug_info == "on" and not _is_loopback(_address(http.listen)[0]):
        text = "everyone who can reach the server can see its SQL statements and files"
        yield warning(_SERVER, text, 'Set debug_info = "auto" in [http].')


def check_proxies(config: Config) -> Iterator[Finding]:
    """Check that the trusted proxies are IP addresses or networks."""
    for text in config.http.trusted_proxies:
        try:
            ipaddress.ip_network(text, strict=False)
        except ValueError:
            advice = "Write an IP address or a network: 192.0.2.1, 10.0.0.0/8."
            yield problem(_SERVER, f"http.trusted_proxies has {text!r}", advice)


def _address(listen: str) -> tuple[str, int | None]:
    host, _, port = listen.rpartition(":")
    usable = host and port.isascii() and port.isdigit() and int(port[:6]) < 65_536
    return host.strip("[]"), int(port) if usable else None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


_FILES = "files"
_CORRECT = "Correct files.folder; `wikiapi import-files` copies files into it."


def check_folder(config: Config) -> Iterator[Finding]:
    """Check that the upload folder, if configured, can be read."""
    folder = config.files.folder
    if not folder or not Path(folder).exists():  # importing the first file creates it
        return
    if not Path(folder).is_dir():
        yield problem(_FILES, f"files.folder is {folder!r}, which is not a folder", _CORRECT)
    elif not os.access(folder, os.R_OK | os.X_OK):
        advice = "Run wikiapi as a user with read permission, or change the permissions."
        yield problem(_FILES, f"files.folder, {folder!r}, cannot be read", advice)


def check_stored(site: Site) -> Iterator[Finding]:
    """Check that there is a folder or URL for the files in the store."""
    count = int(site.db.scalar(Image.select(fn.COUNT(Image.img_name))))
    folder = site.config.files.folder
    if count and folder and not Path(folder).exists():
        yield problem(_FILES, f"files.folder is {folder!r}, which does not exist", _CORRECT)
    if count and not folder and site.config.files.url.startswith("/"):
        text = f"the store has {counted(count, 'file')}, but no folder to serve from"
        advice = "Set folder in [files], or set url to their address."
        yield note(_FILES, text, advice)


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
