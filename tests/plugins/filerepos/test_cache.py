from __future__ import annotations

from wikiapi_plugins.filerepos.cache import ExpiringCache


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_remembered_none_differs_from_nothing() -> None:
    cache: ExpiringCache[str | None] = ExpiringCache(10, 10, Clock())
    cache.put("a", None)
    assert cache.get("a") == (None,)
    assert cache.get("b") is None


def test_it_expires() -> None:
    clock = Clock()
    cache: ExpiringCache[int] = ExpiringCache(10, 10, clock)
    cache.put("a", 1)
    clock.now = 9.9
    assert cache.get("a") == (1,)
    clock.now = 10
    assert cache.get("a") is None


def test_the_least_recently_used_goes_first() -> None:
    cache: ExpiringCache[int] = ExpiringCache(10, 10, Clock())
    cache.put("a", 1, cost=4)
    cache.put("b", 2, cost=4)
    cache.get("a")
    cache.put("c", 3, cost=4)
    assert [cache.get(key) for key in "abc"] == [(1,), None, (3,)]


def test_what_costs_too_much_is_not_remembered() -> None:
    cache: ExpiringCache[int] = ExpiringCache(10, 10, Clock())
    cache.put("a", 1)
    cache.put("b", 2, cost=11)
    assert cache.get("a") == (1,)
    assert cache.get("b") is None


def test_replacing_costs_once() -> None:
    cache: ExpiringCache[int] = ExpiringCache(10, 10, Clock())
    for value in range(20):
        cache.put("a", value, cost=6)
    assert cache.get("a") == (19,)


def test_zero_seconds_remember_nothing() -> None:
    cache: ExpiringCache[int] = ExpiringCache(0, 10, Clock())
    cache.put("a", 1)
    assert cache.get("a") is None
