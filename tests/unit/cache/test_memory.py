"""The caches in memory, bounded in size and, one of them, in time."""

from __future__ import annotations

from threading import Thread

from wikiapi.cache import BoundedCache, MemoryCache
from wikiapi.cache.memory import OVERHEAD


def _cache_of(values: int, size: int) -> BoundedCache[str, str]:
    """Return a cache for so many values of a size."""
    return BoundedCache(values * (size + OVERHEAD))


class TestBoundedCache:
    def test_the_very_object_comes_back(self) -> None:
        cache: BoundedCache[str, object] = BoundedCache(10_000)
        value = object()
        cache.put("a", value, 1)
        assert cache.get("a") is value
        assert cache.get("b") is None

    def test_the_least_recently_used_goes_first(self) -> None:
        cache = _cache_of(2, 100)
        for key in "abc":
            cache.put(key, key, 100)
            assert cache.get("a") == "a"
        assert [cache.get(key) for key in "abc"] == ["a", None, "c"]

    def test_several_go_for_one_that_is_large(self) -> None:
        cache = _cache_of(4, 100)
        for key in "abcd":
            cache.put(key, key, 100)
        cache.put("e", "e", 2 * (100 + OVERHEAD))
        assert [cache.get(key) for key in "abcde"] == [None, None, None, "d", "e"]

    def test_what_is_larger_than_the_cache_is_not_cached_and_drives_nothing_out(self) -> None:
        cache = _cache_of(2, 100)
        cache.put("a", "a", 100)
        cache.put("b", "b", 2 * (100 + OVERHEAD) + 1 - OVERHEAD)
        assert (cache.get("a"), cache.get("b")) == ("a", None)

    def test_a_value_takes_the_place_of_the_one_before_and_its_bytes(self) -> None:
        cache = _cache_of(2, 100)
        cache.put("a", "a", 100)
        for number in range(20):
            cache.put("b", str(number), 100)
        assert (cache.get("a"), cache.get("b")) == ("a", "19")
        cache.put("b", "too large", 10**6)
        assert cache.get("b") is None
        cache.put("c", "c", 100)
        assert (cache.get("a"), cache.get("c"), len(cache)) == ("a", "c", 2)

    def test_small_values_cost_something_too(self) -> None:
        cache: BoundedCache[int, str] = BoundedCache(10 * OVERHEAD)
        for key in range(100):
            cache.put(key, "", 0)
        assert len(cache) == 10

    def test_threads_share_it(self) -> None:
        cache: BoundedCache[int, int] = BoundedCache(50 * OVERHEAD)

        def use() -> None:
            for number in range(2000):
                cache.put(number % 97, number % 97, 0)
                assert cache.get(number % 89) in (None, number % 89)

        threads = [Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(cache) == 50


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class TestMemoryCache:
    def test_the_very_object_comes_back(self) -> None:
        cache, value = MemoryCache(10_000), object()
        cache.put("a", value, seconds=10, size=1)
        assert cache.get("a") is value
        assert cache.get("b") is None

    def test_values_grow_old(self) -> None:
        clock = Clock()
        cache = MemoryCache(10_000, clock)
        cache.put("short", 1, seconds=5, size=1)
        cache.put("long", 2, seconds=50, size=1)
        clock.now = 4.9
        assert cache.get("short") == 1
        clock.now = 5.0
        assert cache.get("short") is None
        assert cache.get("long") == 2

    def test_the_least_recently_used_goes_first(self) -> None:
        cache = MemoryCache(3 * (OVERHEAD + 100))
        for key in "abc":
            cache.put(key, key, seconds=10, size=100)
        cache.get("a")
        cache.put("d", "d", seconds=10, size=100)
        assert [cache.get(key) for key in "abcd"] == ["a", None, "c", "d"]

    def test_what_is_too_large_is_not_cached(self) -> None:
        cache = MemoryCache(1000)
        cache.put("a", "x", seconds=10, size=10)
        cache.put("b", "y", seconds=10, size=2000)
        assert cache.get("a") == "x"
        assert cache.get("b") is None

    def test_a_value_is_replaced(self) -> None:
        cache = MemoryCache(10_000)
        for value in range(1000):
            cache.put("a", value, seconds=10, size=100)
        assert cache.get("a") == 999
        assert len(cache) == 1
