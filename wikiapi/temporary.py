"""A context manager that changes an attribute temporarily."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class TemporaryAttribute(Generic[T]):
    """A context manager in which an attribute has another value; yields that value.

    A class, because every request enters several of these and a generator takes three times as
    long.
    """

    __slots__ = ("_holder", "_name", "_outer", "_value")

    def __init__(self, holder: object, name: str, value: T) -> None:
        """Take an object, the name of one of its attributes, and the temporary value."""
        self._holder = holder
        self._name = name
        self._value = value

    def __enter__(self) -> T:
        self._outer: Any = getattr(self._holder, self._name)
        setattr(self._holder, self._name, self._value)
        return self._value

    def __exit__(self, *_error: object) -> None:
        setattr(self._holder, self._name, self._outer)
