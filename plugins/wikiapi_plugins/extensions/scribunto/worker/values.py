"""Values on their way into Lua and out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from .room import NO_MEMORY, Room


class TableMaker(Protocol):
    """Makes a Lua table of a list or mapping whose values Lua knows already."""

    def __call__(self, content: list[Any] | dict[Any, Any], /) -> object:
        """Return the table."""


def to_lua(value: Any, make_table: TableMaker) -> Any:
    """Return a value from JSON; lists count from 1, ``None`` in them leaves a hole."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, list):
        return make_table([to_lua(each, make_table) for each in value])
    if isinstance(value, dict):
        return make_table({to_lua(k, make_table): to_lua(v, make_table) for k, v in value.items()})
    return value


def from_lua(value: Any) -> Any:
    """Return a text, number or truth value; None for other types."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value if isinstance(value, bool | int | float) else None


def guarded(function: Callable[..., Any], room: Room) -> Callable[..., Any]:
    """Return a function for Lua that never raises an exception.

    It returns true and what the function returns, or false and why it failed; before that ``nil``
    where Lua must call :meth:`Room.lower` before it goes on.
    """

    def call(*arguments: Any) -> tuple[Any, ...]:
        try:
            values = _called(function, arguments)
            size = 0
            for value in values:
                if type(value) is bytes:
                    size += len(value)
            room.take(size, len(values))
        except MemoryError:
            room.lift()
            values = False, NO_MEMORY
        return (None, *values) if room.is_lifted else values

    return call


def _called(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        result = function(*arguments)
    except RecursionError:
        return False, b"stack overflow"
    except MemoryError:
        raise
    except Exception as error:
        return False, str(error).encode("utf-8", "replace")
    return (True, *result) if isinstance(result, tuple) else (True, result)


def as_keys(names: Iterable[str]) -> dict[bytes, bool]:
    """Return a set, as a Lua table."""
    return {name.encode(): True for name in names}
