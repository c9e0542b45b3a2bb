"""The cache of what was used last: bounded in size."""

from __future__ import annotations

from threading import Thread

from wikiapi.cache.bounded import OVERHEAD, BoundedCache


def _room(values: int, size: int) -> BoundedCache[str, str]:
    """A cache for so many values of a size."""
    return BoundedCache(values * (size + OVERHEAD))


def test_the_very_object_comes_back() -> None:
    cache: BoundedCache[str, object] = BoundedCache(10_000)
    value = object()
    cache.put("a", value, 1)
    assert cache.get("a") is value
    assert cache.get("b") is None


def test_the_least_recently_used_goes_first() -> None:
    cache = _room(2, 100)
    for key in "abc":
        cache.put(key, key, 100)
        assert cache.get("a") == "a"
    assert [cache.get(key) for key in "abc"] == ["a", None, "c"]


def test_several_go_for_one_that_is_large() -> None:
    cache = _room(4, 100)
    for key in "abcd":
        cache.put(key, key, 100)
    cache.put("e", "e", 2 * (100 + OVERHEAD))
    assert [cache.get(key) for key in "abcde"] == [None, None, None, "d", "e"]


def test_what_is_larger_than_the_cache_is_not_kept_and_drives_nothing_out() -> None:
    cache = _room(2, 100)
    cache.put("a", "a", 100)
    cache.put("b", "b", 2 * (100 + OVERHEAD) + 1 - OVERHEAD)
    assert (cache.get("a"), cache.get("b")) == ("a", None)


def test_a_value_takes_the_place_of_the_one_before_and_its_bytes() -> None:
    cache = _room(2, 100)
    cache.put("a", "a", 100)
    for number in range(20):
        cache.put("b", str(number), 100)
    assert (cache.get("a"), cache.get("b")) == ("a", "19")
    cache.put("b", "too large", 10**6)
    assert cache.get("b") is None
    cache.put("c", "c", 100)
    assert (cache.get("a"), cache.get("c"), len(cache)) == ("a", "c", 2)


def test_small_values_cost_something_too() -> None:
    cache: BoundedCache[int, str] = BoundedCache(10 * OVERHEAD)
    for key in range(100):
        cache.put(key, "", 0)
    assert len(cache) == 10


def test_threads_share_it() -> None:
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
