"""Conversion of values between Python and Lua."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from .memory import NO_MEMORY, LuaMemory


class TableMaker(Protocol):
    """A function that creates a Lua table from a list or dictionary of Lua values."""

    def __call__(self, content: list[Any] | dict[Any, Any], /) -> object:
        """Return the table."""


def to_lua(value: Any, make_table: TableMaker) -> Any:
    """Return a JSON value as a Lua value.

    Lists become tables with keys from 1, in which ``None`` leaves a hole.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, list):
        return make_table([to_lua(item, make_table) for item in value])
    if isinstance(value, dict):
        return make_table({to_lua(k, make_table): to_lua(v, make_table) for k, v in value.items()})
    return value


def from_lua(value: Any) -> Any:
    """Return a string, number or boolean from Lua; ``None`` for other types."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value if isinstance(value, bool | int | float) else None


def guarded(function: Callable[..., Any], memory: LuaMemory) -> Callable[..., Any]:
    """Return a function for Lua that calls ``function`` and never raises an exception.

    It returns ``True`` and the results, or ``False`` and an error message. If the caller has to
    call :meth:`LuaMemory.restore_limit` before it continues, ``None`` precedes these values.
    """

    def call(*arguments: Any) -> tuple[Any, ...]:
        try:
            values = _protected_call(function, arguments)
            size = 0
            for value in values:
                if type(value) is bytes:
                    size += len(value)
            memory.reserve(size, len(values))
        except MemoryError:
            memory.lift_limit()
            values = False, NO_MEMORY
        return (None, *values) if memory.is_limit_lifted else values

    return call


def _protected_call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        result = function(*arguments)
    except RecursionError:
        return False, b"stack overflow"
    except MemoryError:
        raise
    except Exception as error:
        return False, str(error).encode("utf-8", "replace")
    return (True, *result) if isinstance(result, tuple) else (True, result)


def as_set(names: Iterable[str]) -> dict[bytes, bool]:
    """Return the content of a Lua table that represents a set."""
    return {name.encode(): True for name in names}
