"""Queries that are the beginning of many others.

Peewee takes long to put a query together, and refining one makes another: so all requests may begin
with the same.
"""

from __future__ import annotations

from functools import cache, wraps
from typing import TYPE_CHECKING, Any

from wikiapi.store.shapes import lasting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def kept(build: Callable[..., Any]) -> Callable[..., Any]:
    """Have a query built once for each set of arguments, of which there must be few."""

    @cache
    @wraps(build)
    def built(*arguments: Any) -> Any:
        return lasting(build(*arguments))

    return built


def refinable(build: Callable[[], Any]) -> Callable[..., Any]:
    """Have a query built once: what it is given is the columns to select after its own."""
    once = kept(build)

    @wraps(build)
    def select(*more: Any) -> Any:
        return extended(once(), more)

    return select


def extended(query: Any, more: Sequence[Any]) -> Any:
    """The query with more columns after its own, if there are any."""
    return query.select_extend(*more) if more else query
