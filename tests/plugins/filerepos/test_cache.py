from __future__ import annotations

from wikiapi_plugins.filerepos.remoteapi import ExpiringCache


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_cached_none_differs_from_a_missing_entry() -> None:
    cache: ExpiringCache[str | None] = ExpiringCache(10, 10_000, Clock())
    cache.put("a", None, 1)
    assert cache.get("a") == (None,)
    assert cache.get("b") is None


def test_it_expires() -> None:
    clock = Clock()
    cache: ExpiringCache[int] = ExpiringCache(10, 10_000, clock)
    cache.put(("a", 1), 1, 1)
    clock.now = 9.9
    assert cache.get(("a", 1)) == (1,)
    clock.now = 10
    assert cache.get(("a", 1)) is None


def test_bytes_are_bounded() -> None:
    cache: ExpiringCache[int] = ExpiringCache(10, 10_000, Clock())
    for key, value in (("a", 1), ("b", 2), ("c", 3)):
        cache.put(key, value, 4_000)
        cache.get("a")
    assert [cache.get(key) for key in "abc"] == [(1,), None, (3,)]


def test_zero_seconds_cache_nothing() -> None:
    cache: ExpiringCache[int] = ExpiringCache(0, 10_000, Clock())
    cache.put("a", 1, 1)
    assert cache.get("a") is None
