"""The setting ``cache.url``."""

from __future__ import annotations

import pytest

from wikiapi.cache.memory import MemoryCache
from wikiapi.cache.shared import SharedCache
from wikiapi.cache.urls import NoCache, open_cache
from wikiapi.config import CacheConfig
from wikiapi.errors import ConfigError


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("", NoCache),
        ("memory://", MemoryCache),
        ("redis://127.0.0.1/3", SharedCache),
        ("memcached://127.0.0.1", SharedCache),
    ],
)
def test_kinds(url: str, kind: type) -> None:
    assert isinstance(open_cache(CacheConfig(url=url, secret_key="k")), kind)


def test_nothing_is_cached_without_a_url() -> None:
    cache = open_cache(CacheConfig(url=""))
    cache.put("a", 1, seconds=10, size=1)
    assert cache.get("a") is None


@pytest.mark.parametrize(
    ("url", "secret", "message"),
    [
        ("mongodb://127.0.0.1", "k", "memory://, redis://"),
        ("redis://127.0.0.1", "", "cache.secret_key"),
        ("redis://127.0.0.1/x?socket_timeout=abc", "k", "cache.url"),
    ],
)
def test_what_cannot_be_is_refused(url: str, secret: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        open_cache(CacheConfig(url=url, secret_key=secret))
