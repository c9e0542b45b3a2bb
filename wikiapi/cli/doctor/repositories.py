"""Foreign file repositories, as configured; nothing is sent to them."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikiapi.cli.doctor.declaration import problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config, RepositoryConfig
    from wikiapi.store.check.finding import Finding

_NAME = "repositories"
_LONG_WAIT = 30


def check_repositories(config: Config) -> Iterator[Finding]:
    """Each has an address of its own that can be asked."""
    own = config.server + config.site.script_path + "/api.php"
    names = Counter(entry.name for entry in config.repositories)
    for name, count in names.items():
        if count > 1:
            text = f"{count} repositories are called {name!r}"
            yield problem(_NAME, text, "Give each a name of its own.")
    for entry in config.repositories:
        yield from _address_problems(entry, own)
        if entry.timeout > _LONG_WAIT:
            text = f"a request may wait {entry.timeout:g} seconds for it"
            yield warning(_NAME, text, "Set its timeout to 5 seconds or so.", entry.name)


def _address_problems(entry: RepositoryConfig, own: str) -> Iterator[Finding]:
    parts = urlsplit(entry.api)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        advice = 'Write the whole address: api = "https://commons.wikimedia.org/w/api.php".'
        yield problem(_NAME, f"its address is {entry.api!r}", advice, place=entry.name)
        return
    if entry.api == own:
        yield problem(_NAME, "it is the wiki itself", "Remove it.", place=entry.name)
    if not parts.path.endswith("api.php"):
        advice = "Write the address of its api.php, which Special:Version of that wiki tells."
        yield warning(_NAME, f"{entry.api} does not end in api.php", advice, entry.name)
    if _is_private(parts.hostname) and not entry.allow_private:
        advice = "Set allow_private = true for it if you trust that network."
        yield problem(
            _NAME, f"{parts.hostname} lies in a private network", advice, place=entry.name
        )


def _is_private(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
