"""Who may keep an answer, and for how long: decided by what was asked, stated in headers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class CacheMode(IntEnum):
    """From what nobody may share to what everybody may; the strictest asked for wins."""

    PRIVATE = 0
    ANON_PUBLIC_USER_PRIVATE = 1
    PUBLIC = 2


@dataclass(slots=True)
class CacheControl:
    """The cache policy of one answer. Ages are in seconds."""

    mode: CacheMode = CacheMode.PRIVATE
    max_age: int = 0
    shared_max_age: int = 0

    def restrict(self, mode: CacheMode) -> None:
        """Narrow the mode; it is never widened again."""
        self.mode = min(self.mode, mode)

    def forbid(self) -> None:
        """Let nobody keep the answer, as for errors."""
        self.mode, self.max_age, self.shared_max_age = CacheMode.PRIVATE, 0, 0
