"""Who asks: so far always a visitor without an account."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class User:
    """The user of a request. ``id`` is 0 for visitors without an account, named by address."""

    name: str
    rights: frozenset[str]
    id: int = 0
    groups: tuple[str, ...] = ("*",)

    @property
    def is_anonymous(self) -> bool:
        """Whether this is a visitor without an account."""
        return self.id == 0

    def can(self, *rights: str) -> bool:
        """Whether the user has at least one of the rights."""
        return not self.rights.isdisjoint(rights)
