"""A request as the API sees it, whatever brought it here."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from wikiapi.errors import ApiError


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that came as a part of a form. ``name`` is what the client calls it."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request, decoded.

    ``params`` holds the last value of each parameter of query string and body (the body wins);
    ``files`` are the files of the body by the names of their fields; ``body`` is the body itself
    where it is no form;
    ``query_names`` are the names that stood in the query string, ``array_names`` those that came
    with PHP's array syntax (``titles[]``). ``url`` is path and query string as they came; ``mount``
    the part of the path where the site is mounted, quoted, empty for the server's root. Header
    names are lower case. ``is_local`` says that the user who runs the server asks it, directly and
    on this machine; nobody looks unless ``http.debug_info`` depends on it.
    """

    method: str = "GET"
    params: Mapping[str, str] = field(default_factory=dict)
    query_names: frozenset[str] = frozenset()
    array_names: frozenset[str] = frozenset()
    url: str = ""
    mount: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    remote_address: str = "127.0.0.1"
    is_local: bool = False
    files: Mapping[str, UploadedFile] = field(default_factory=dict)
    body: bytes = b""
    fault: ApiError | None = None
    """Why the request cannot be answered: not all of it could be read."""

    @property
    def is_posted(self) -> bool:
        """Whether this is a POST request."""
        return self.method == "POST"


def lacks_same_origin_security(request: ApiRequest) -> bool:
    """Return whether scripts of any site may read the answer: JSONP, ``origin=*``, untrusted."""
    return (
        "callback" in request.params
        or request.params.get("origin") == "*"
        or "treat-as-untrusted" in request.headers
    )


@dataclass(slots=True)
class Session:
    """A session, identified by its id; ``is_new`` if it was created for this request.

    Tokens are derived from the id with ``key``, which all processes of a wiki share. Nothing is
    stored for a visitor.
    """

    id: str
    is_new: bool = True
    key: bytes = b""
    is_wanted: bool = False
    """Whether something in the answer is worth nothing without the session."""
    user_id: int = 0
    """The account that is logged in; 0 for a visitor."""
    proved: datetime | None = None
    """When the user entered the account's password; ``None`` if the session began otherwise."""
    is_lasting: bool = False
    """Whether a client keeps the session when its user closes it."""
    account_cookies: Mapping[str, str] = field(default_factory=dict)
    """Cookies that say who is logged in, by the end of their names; an empty one is removed."""

    @property
    def is_persistent(self) -> bool:
        """Whether the client has the session's cookie, or gets it with this answer."""
        return self.is_wanted or not self.is_new

    def persist(self) -> None:
        """Make the answer set the session's cookie."""
        self.is_wanted = True

    def log_in(self, session_id: str, user_id: int, user_name: str) -> None:
        """Continue under another id, with an account; the answer gives the client its cookies.

        A session that was known before the login must not be worth more after it.
        """
        self._renew(session_id, user_id)
        self.account_cookies = {"UserID": str(user_id), "UserName": user_name}

    def log_out(self, session_id: str) -> None:
        """Continue under another id, without an account."""
        self._renew(session_id, 0)
        self.account_cookies = {"UserID": "", "Token": ""}

    def _renew(self, session_id: str, user_id: int) -> None:
        self.id, self.user_id, self.proved = session_id, user_id, None
        self.is_new = self.is_wanted = True

    def sign(self, text: str) -> str:
        """Return a signature of a text that only this session can have: 64 hexadecimal digits."""
        return hmac.digest(self.key, f"{self.id}|{text}".encode(), "sha256").hex()


@dataclass(frozen=True, slots=True)
class User:
    """The user of a request. ``id`` is 0 for visitors without an account, named by address."""

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
