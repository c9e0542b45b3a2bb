"""Remembering what was made of a text that clients choose."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

Texts = ParamSpec("Texts")
Result = TypeVar("Result")

LONGEST = 256
"""Characters of the arguments together beyond which a result is not kept."""


def remembered(most: int) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """``lru_cache`` for functions of texts.

    It keeps at most so many results, and none for long texts: a client might send many different
    ones of megabytes each, which would all stay in memory as the keys of their results.
    """

    def decorate(function: Callable[Texts, Result]) -> Callable[Texts, Result]:
        make = cast("Callable[..., Result]", function)
        kept = lru_cache(maxsize=most)(make)

        @wraps(function)
        def call(*texts: str) -> Result:
            if sum(map(len, texts)) > LONGEST:
                return make(*texts)
            return kept(*texts)

        return cast("Callable[Texts, Result]", call)

    return decorate
