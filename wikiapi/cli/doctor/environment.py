"""Checks of Python, the libraries, SQLite, the cache and the server's settings."""

from __future__ import annotations

import ipaddress
import re
import socket
import sys
from collections.abc import Iterator
from importlib import metadata
from urllib.parse import urlsplit

import apsw

from wikiapi.cache.urls import open_cache
from wikiapi.cli.doctor.declaration import problem, warning
from wikiapi.cli.doctor.installation import Installation
from wikiapi.config import Config
from wikiapi.errors import ConfigError
from wikiapi.plugins import DISTRIBUTION
from wikiapi.store.check.finding import Finding

_NAME = "environment"
OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 37)
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9][0-9.]*))?", re.ASCII)
_REINSTALL = "`pip install --force-reinstall --only-binary apsw apsw` installs a suitable one."
_NUMBER = re.compile(r"\d+", re.ASCII)


def check_python(_: Installation) -> Iterator[Finding]:
    """Check the version of Python."""
    if sys.version_info < OLDEST_PYTHON:
        shown = ".".join(map(str, sys.version_info[:3]))
        text = f"Python {shown} is too old"
        yield problem(_NAME, text, "Create a new environment with Python 3.11 or newer.")


def check_dependencies(_: Installation) -> Iterator[Finding]:
    """Check the required libraries."""
    for name, required_version in required():
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield problem(
                _NAME, f"{name} is not installed", f"`pip install '{name}>={required_version}'`"
            )
            continue
        if _numbers(found) < _numbers(required_version):
            text = f"{name} {found} is older than {required_version}"
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
