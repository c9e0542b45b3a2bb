"""The session of a request: what tokens are bound to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Session:
    """A session by its id; ``is_new`` when the request brought none and it was made up for it."""

    id: str
    is_new: bool = True
