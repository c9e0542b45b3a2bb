"""Texts that may become too long for an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def joined(parts: Iterable[str], most: int) -> str | None:
    """The parts as one text; ``None`` once they have more than ``most`` characters."""
    taken: list[str] = []
    for part in parts:
        taken.append(part)
        most -= len(part)
        if most < 0:
            return None
    return "".join(taken)
