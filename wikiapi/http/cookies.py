"""The cookies of a wiki, which identify the session and the account."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from urllib.parse import quote

from wikiapi.accounts.user import Session
from wikiapi.api.request import ApiRequest
from wikiapi.config import Config
from wikiapi.http.reply import Header

_SESSION_ID = re.compile(r"[A-Za-z0-9_-]{32,64}\Z", re.ASCII)
_NOT_IN_NAMES = str.maketrans("=,; +.\"'\\[\t", "___________")
_PAST = "expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0"
_LASTING = "Max-Age=2592000"
_KEY_BYTES = 32


def cookie_prefix(config: Config) -> str:
    """Return the prefix of the names of a wiki's cookies."""
    return config.site.wiki_id.translate(_NOT_IN_NAMES)


class SessionCookies:
    """Reads and writes the session cookie of one wiki, whose name contains the wiki's id."""

    def __init__(self, config: Config) -> None:
        """Take the settings; without a key, a random one is used until the process ends."""
        self._prefix = prefix = cookie_prefix(config)
        secret = config.http.secret_key.encode() or secrets.token_bytes(_KEY_BYTES)
        self._key = config.site.wiki_id.encode() + b"\0" + secret
        self._name = f"{prefix}_session"
        self._attributes = f"path=/{'; Secure' if config.http.secure_cookies else ''}; HttpOnly"
        names = (self._name, f"{prefix}UserID", f"{prefix}Token", "forceHTTPS")
        self._clearing = tuple(self._cleared(name) for name in names)

    def is_given(self, request: ApiRequest) -> bool:
        """Return whether a request has a session cookie."""
        return bool(_SESSION_ID.match(request.cookies.get(self._name, "")))

    def read(self, request: ApiRequest) -> Session:
        """Return the session of a request, or a new one."""
        if self.is_given(request):
            return Session(request.cookies[self._name], is_new=False, key=self._key)
        return Session(secrets.token_hex(16), key=self._key)

    def headers(self, session: Session, *, is_public: bool) -> tuple[Header, ...]:
        """Return the ``Set-Cookie`` headers; none if the answer is public."""
        if not session.is_new or is_public:
            return ()
        if session.is_wanted:
            lasting = f"{_LASTING}; " if session.is_lasting else ""
            own = ("Set-Cookie", f"{self._name}={session.id}; {lasting}{self._attributes}")
            return (own, *self._account(session))
        return self._clearing

    def _account(self, session: Session) -> Iterator[Header]:
        for name, value in session.account_cookies.items():
            if value:
                written = f"{self._prefix}{name}={quote(value)}; {_LASTING}; {self._attributes}"
                yield "Set-Cookie", written
            else:
                yield self._cleared(f"{self._prefix}{name}")

    def _cleared(self, name: str) -> Header:
        return "Set-Cookie", f"{name}=deleted; {_PAST}; {self._attributes}"
