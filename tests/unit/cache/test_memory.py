"""The cache in memory: bounded in time and size."""

from __future__ import annotations

from wikiapi.cache.memory import OVERHEAD, MemoryCache


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_very_object_comes_back() -> None:
    cache, value = MemoryCache(10_000), object()
    cache.put("a", value, seconds=10, size=1)
    assert cache.get("a") is value
    assert cache.get("b") is None


def test_values_grow_old() -> None:
    clock = Clock()
    cache = MemoryCache(10_000, clock)
    cache.put("short", 1, seconds=5, size=1)
    cache.put("long", 2, seconds=50, size=1)
    clock.now = 4.9
    assert cache.get("short") == 1
    clock.now = 5.0
    assert cache.get("short") is None
    assert cache.get("long") == 2


def test_the_least_recently_used_goes_first() -> None:
    cache = MemoryCache(3 * (OVERHEAD + 100))
    for key in "abc":
        cache.put(key, key, seconds=10, size=100)
    cache.get("a")
    cache.put("d", "d", seconds=10, size=100)
    assert [cache.get(key) for key in "abcd"] == ["a", None, "c", "d"]


def test_what_is_too_large_is_not_kept() -> None:
    cache = MemoryCache(1000)
    cache.put("a", "x", seconds=10, size=10)
    cache.put("b", "y", seconds=10, size=2000)
    assert cache.get("a") == "x"
    assert cache.get("b") is None


def test_a_value_is_replaced() -> None:
    cache = MemoryCache(10_000)
    for value in range(1000):
        cache.put("a", value, seconds=10, size=100)
    assert cache.get("a") == 999
    assert len(cache) == 1
