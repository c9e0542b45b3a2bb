"""A context manager that changes an attribute temporarily."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def temporary_attribute(holder: object, name: str, value: T) -> Iterator[T]:
    """Give an attribute of an object another value within the block; yield that value."""
    outer: Any = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield value
    finally:
        setattr(holder, name, outer)
