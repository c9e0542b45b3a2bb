"""Sizes for people to read."""

from __future__ import annotations

_UNITS = ("bytes", "KB", "MB", "GB", "TB")
_STEP = 1024


def readable_size(size: int) -> str:
    """A number of bytes in the unit that fits: whole KB, from MB on two decimals (``7.29 MB``)."""
    value, unit = float(size), 0
    while value >= _STEP and unit < len(_UNITS) - 1:
        value /= _STEP
        unit += 1
    if unit < _UNITS.index("MB"):
        return f"{round(value):,} {_UNITS[unit]}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") + f" {_UNITS[unit]}"
