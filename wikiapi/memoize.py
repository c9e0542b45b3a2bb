"""Memoizing functions of texts that clients choose."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

Texts = ParamSpec("Texts")
Result = TypeVar("Result")

LONGEST = 256
"""Characters of the arguments together beyond which a result is not cached."""


def memoize(maxsize: int) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """Return a decorator that caches the last ``maxsize`` results of a function of texts.

    It is :func:`functools.lru_cache`, but results for long texts are not cached: a client could
    send many different ones of megabytes each, which would stay in memory as the keys.
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
