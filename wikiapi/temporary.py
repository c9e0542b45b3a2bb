"""Attributes that have another value for a while."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class TemporaryAttribute(Generic[T]):
    """A block in which an attribute has another value; yields that value.

    Every request enters several such blocks, and a generator would take three times as long.
    """

    __slots__ = ("_holder", "_name", "_outer", "_value")

    def __init__(self, holder: object, name: str, value: T) -> None:
        """Name the attribute, which has a value already, and the one for the block."""
        self._holder = holder
        self._name = name
        self._value = value

    def __enter__(self) -> T:
        self._outer: Any = getattr(self._holder, self._name)
        setattr(self._holder, self._name, self._value)
        return self._value

    def __exit__(self, *_error: object) -> None:
        setattr(self._holder, self._name, self._outer)
