"""Caching the results of functions whose arguments are texts from clients."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

__all__ = [
    "memoize",
]


Texts = ParamSpec("Texts")
Result = TypeVar("Result")

LONGEST = 256
"""Maximum total length of the arguments, in characters, for which a result is cached."""


def memoize(maxsize: int) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """Return a decorator that caches the last ``maxsize`` results of a function of texts.

    It works like :func:`functools.lru_cache`, except that results for long texts are not cached: a
    client could send many different texts of megabytes, which would stay in memory as cache keys.
    """

    def decorate(function: Callable[Texts, Result]) -> Callable[Texts, Result]:
        compute = cast("Callable[..., Result]", function)
        cached = lru_cache(maxsize=maxsize)(compute)

        @wraps(function)
        def call(*texts: str) -> Result:
            if sum(map(len, texts)) > LONGEST:
                return compute(*texts)
            return cached(*texts)

        return cast("Callable[Texts, Result]", call)

    return decorate
