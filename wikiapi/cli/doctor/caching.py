"""The cache: whether it is of a known kind, and its library is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikiapi.cache.urls import open_cache
from wikiapi.cli.doctor.declaration import problem
from wikiapi.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config
    from wikiapi.store.check.finding import Finding

_NAME = "cache"
_EXTRAS = {"redis": "redis", "rediss": "redis", "unix": "redis", "memcached": "memcached"}


def check_cache(config: Config) -> Iterator[Finding]:
    """The cache can be opened; a server is not asked."""
    try:
        open_cache(config.cache)
    except ConfigError as error:
        yield problem(_NAME, str(error), _advice(str(error), config.cache.url))


def _advice(text: str, url: str) -> str:
    extra = _EXTRAS.get(urlsplit(url).scheme)
    if extra and "library" in text:
        return f"`pip install 'wikiapi[{extra}]'`"
    if "secret_key" in text:
        return "Set secret_key in [cache] to a long random text, the same for all processes."
    return 'Write memory://, redis://HOST:PORT/0 or memcached://HOST:PORT; "" for no cache.'
