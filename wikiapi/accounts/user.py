"""Users, their sessions, and users as the authors of changes."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from wikiapi.site import Site


@dataclass(slots=True)
class Session:
    """A session with its id; ``is_new`` says that it was created for this request.

    Tokens are derived from the id with ``key``, which all processes of a wiki share. Nothing is
    stored for the session of a visitor.
    """

    id: str
    is_new: bool = True
    key: bytes = b""
    is_wanted: bool = False
    """Whether the answer contains something that is only valid in this session."""
    user_id: int = 0
    """The account that is logged in; 0 for a visitor."""
    authenticated_at: datetime | None = None
    """When the user entered the account's password; ``None`` if the session began otherwise."""
    is_lasting: bool = False
    """Whether browsers keep the session's cookies after they are closed."""
    account_cookies: Mapping[str, str] = field(default_factory=dict)
    """Cookies that identify the account, by the suffix of their names; empty ones are deleted."""

    @property
    def is_persistent(self) -> bool:
        """Whether the client has the session's cookie, or gets it with this answer."""
        return self.is_wanted or not self.is_new

    def persist(self) -> None:
        """Make the answer set the session's cookie."""
        self.is_wanted = True

    def log_in(self, session_id: str, user_id: int, user_name: str) -> None:
        """Change the id, set the account, and make the answer set the cookies for both.

        The id is changed to prevent session fixation: who knew the id before must not get access to
        the account.
        """
        self._renew(session_id, user_id)
        self.account_cookies = {"UserID": str(user_id), "UserName": user_name}

    def log_out(self, session_id: str) -> None:
        """Change the id and remove the account."""
        self._renew(session_id, 0)
        self.account_cookies = {"UserID": "", "Token": ""}

    def _renew(self, session_id: str, user_id: int) -> None:
        self.id, self.user_id, self.authenticated_at = session_id, user_id, None
        self.is_new = self.is_wanted = True

    def sign(self, text: str) -> str:
        """Return a signature of a text (64 hexadecimal digits), only valid in this session."""
        return hmac.digest(self.key, f"{self.id}|{text}".encode(), "sha256").hex()


@dataclass(frozen=True, slots=True)
class User:
    """The user of a request. A visitor without an account has the id 0 and an address as name."""

    name: str
    rights: frozenset[str]
    id: int = 0
    groups: tuple[str, ...] = ("*",)
    options: Mapping[str, str] = field(default_factory=dict)
    """The preferences that differ from the wiki's defaults."""

    @property
    def is_anonymous(self) -> bool:
        """Whether this is a visitor without an account."""
        return self.id == 0

    def can(self, *rights: str) -> bool:
        """Return whether the user has at least one of the rights."""
        return not self.rights.isdisjoint(rights)


@dataclass(frozen=True, slots=True)
class Performer:
    """A user who changes a wiki, with the address of the user's client."""

    site: Site
    user: User
    address: str
    marks_log_entries: bool = True
    """Whether recent changes mark log entries as a bot's, if the user is one."""
