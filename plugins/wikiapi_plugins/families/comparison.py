"""When two texts are equal: as PHP's ``==`` has it, numbers by their value."""

from __future__ import annotations

import re

_NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\n\r\v\f]*\Z"
)
_LONGEST = 100
"""A longer number is compared as text: its digits are worth nothing to a double."""


def is_equal(left: str, right: str) -> bool:
    """Whether the texts are the same, or two ways to write the same number."""
    if left == right:
        return True
    if len(left) > _LONGEST or len(right) > _LONGEST:
        return False
    return bool(_NUMERIC.match(left) and _NUMERIC.match(right)) and float(left) == float(right)
