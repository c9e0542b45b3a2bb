"""Queries that are the beginning of many others."""

from __future__ import annotations

from functools import cache, wraps
from typing import TYPE_CHECKING, Any

from wikiapi.store.shapes import lasting

if TYPE_CHECKING:
    from collections.abc import Callable


def refinable(build: Callable[[], Any]) -> Callable[..., Any]:
    """Have a query built once: what it is given is the columns to select after its own.

    Peewee takes long to put a query together, and refining one makes another: so all requests may
    begin with the same.
    """
    once = cache(lambda: lasting(build()))

    @wraps(build)
    def select(*more: Any) -> Any:
        query = once()
        return query.select_extend(*more) if more else query

    return select
