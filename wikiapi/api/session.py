"""The session of a request: what tokens are bound to."""

from __future__ import annotations

import hmac
from dataclasses import dataclass


@dataclass(slots=True)
class Session:
    """A session by its id; ``is_new`` when the request brought none and it was made up for it.

    Nothing is stored: a session is its id, and tokens are derived from it with ``key``, which all
    processes of a wiki share.
    """

    id: str
    is_new: bool = True
    key: bytes = b""
    is_wanted: bool = False
    """Whether something in the answer is worth nothing without the session."""

    @property
    def is_persistent(self) -> bool:
        """Whether the client has the session's cookie, or gets it with this answer."""
        return self.is_wanted or not self.is_new

    def persist(self) -> None:
        """Have the answer give the client the session's cookie."""
        self.is_wanted = True

    def sign(self, text: str) -> str:
        """A signature of a text that only this session can have: 64 hexadecimal digits."""
        return hmac.digest(self.key, f"{self.id}|{text}".encode(), "sha256").hex()
