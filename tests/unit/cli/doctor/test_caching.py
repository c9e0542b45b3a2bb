from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from wikiapi.cli.doctor.environment import check_cache
from wikiapi.config import Config


@pytest.mark.parametrize("url", ["memory://", ""])
def test_caches_that_need_nothing(config_of: Callable[..., Config], url: str) -> None:
    assert list(check_cache(config_of(cache={"url": url}))) == []


@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({"url": "file:///x"}, "Write memory://"),
        ({"url": "redis://h:1/0"}, "Set secret_key in [cache]"),
    ],
)
def test_caches_that_cannot_be(
    config_of: Callable[..., Config], settings: dict[str, str], advice: str
) -> None:
    (finding,) = check_cache(config_of(cache=settings))
    assert finding.advice.startswith(advice)


@pytest.mark.parametrize(
    ("url", "module", "extra"),
    [
        ("redis://h:1/0", "redis", "redis"),
        ("memcached://h:1", "pymemcache", "memcached"),
    ],
)
def test_a_library_that_is_missing(
    config_of: Callable[..., Config],
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    module: str,
    extra: str,
) -> None:
    for name in list(sys.modules):
        if name.split(".")[0] == module or name == f"wikiapi.cache.{extra}":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    (finding,) = check_cache(config_of(cache={"url": url, "secret_key": "k"}))
    assert finding.advice == f"`pip install 'wikiapi-server[{extra}]'`"
