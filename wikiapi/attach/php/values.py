"""Values of PHP, and the conversions between them that PHP makes by itself."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

PhpArray: TypeAlias = "dict[int | str, PhpValue]"
"""An array: what Python calls a dictionary, in the order of its keys."""
PhpValue: TypeAlias = "str | int | float | bool | PhpArray | None"

LARGEST_INT = 2**63 - 1
_MOST_DIGITS = 19
_INTEGER_KEY = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)
_NUMBER = re.compile(r"[ \t\n\r\v\f]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


def key_of(value: PhpValue) -> int | str:
    """Return the key of an array that a value becomes: ``"8"``, 8.9 and true become numbers.

    Raises:
        ValueError: the value is an array.
    """
    if isinstance(value, str):
        is_number = _INTEGER_KEY.fullmatch(value) and abs(int(value)) <= LARGEST_INT
        return int(value) if is_number else value
    if isinstance(value, dict):
        raise ValueError("an array cannot be a key")
    return "" if value is None else int(value)


def next_key(array: PhpArray) -> int:
    """Return the number under which a value is added: the one after the greatest key."""
    return max((key for key in array if isinstance(key, int)), default=-1) + 1


def as_text(value: PhpValue) -> str:
    """Return a value as PHP writes it into a text.

    Raises:
        ValueError: the value is an array, or a number with a fraction.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, dict | float):
        raise ValueError("it is not written as in PHP")
    return "" if value in (None, False) else str(int(value))


def as_number(value: PhpValue) -> int | float:
    """Return a value as a number to calculate with; that of a text is at its beginning.

    Raises:
        ValueError: the value is an array, or a text that does not begin with a number.
    """
    if isinstance(value, dict):
        raise ValueError("an array is no number")
    if not isinstance(value, str):
        return value if isinstance(value, float) else int(value or 0)
    match = _NUMBER.match(value)
    if match is None:
        raise ValueError("the text is no number")
    is_integer = match[1].lstrip("+-").isdigit() and len(match[1]) < _MOST_DIGITS
    return int(match[1]) if is_integer else float(match[1])


def is_true(value: PhpValue) -> bool:
    """Return whether PHP takes a value for true: all but empty ones, zero and ``"0"``."""
    return bool(value) and value != "0"


class Size(NamedTuple):
    """The number of characters and elements of a value, and how deep arrays are nested in it."""

    total: int
    depth: int


def size_of(value: PhpValue) -> Size:
    """Return the size of a value."""
    total, deepest = 0, 0
    waiting: list[tuple[PhpValue, int]] = [(value, 0)]
    while waiting:
        each, depth = waiting.pop()
        if isinstance(each, dict):
            total += sum(len(key) if isinstance(key, str) else 1 for key in each)
            waiting += [(inner, depth + 1) for inner in each.values()]
            deepest = max(deepest, depth + 1)
        total += len(each) if isinstance(each, str) else 1
    return Size(total, deepest)


def copied(value: PhpValue) -> PhpValue:
    """Return a copy: arrays are values in PHP, so that a change to one leaves the others."""
    if not isinstance(value, dict):
        return value
    return {key: copied(inner) for key, inner in value.items()}
