"""The wiki's cookies: the session they bring, and how it is given or taken away."""

from __future__ import annotations

import re
import secrets

from wikiapi.api.request import ApiRequest, Session
from wikiapi.config import Config
from wikiapi.http.reply import Header

_SESSION_ID = re.compile(r"[A-Za-z0-9_-]{32,64}\Z", re.ASCII)
_NOT_IN_NAMES = str.maketrans("=,; +.\"'\\[\t", "___________")
_PAST = "expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0"
_KEY_BYTES = 32


class SessionCookies:
    """Reads and writes the session cookie of one wiki, named after its id."""

    def __init__(self, config: Config) -> None:
        """Make up a key when none is configured: tokens then end with the process."""
        prefix = config.site.wiki_id.translate(_NOT_IN_NAMES)
        secret = config.http.secret_key.encode() or secrets.token_bytes(_KEY_BYTES)
        self._key = config.site.wiki_id.encode() + b"\0" + secret
        self._name = f"{prefix}_session"
        self._attributes = f"path=/{'; Secure' if config.http.secure_cookies else ''}; HttpOnly"
        names = (self._name, f"{prefix}UserID", f"{prefix}Token", "forceHTTPS")
        self._clearing = tuple(self._cleared(name) for name in names)

    def is_given(self, request: ApiRequest) -> bool:
        """Return whether a request brings a session."""
        return bool(_SESSION_ID.match(request.cookies.get(self._name, "")))

    def read(self, request: ApiRequest) -> Session:
        """Return the session of a request, or a new one."""
        if self.is_given(request):
            return Session(request.cookies[self._name], is_new=False, key=self._key)
        return Session(secrets.token_hex(16), key=self._key)

    def headers(self, session: Session, *, is_public: bool) -> tuple[Header, ...]:
        """What an answer says about cookies: nothing where everybody may get the same answer."""
        if not session.is_new or is_public:
            return ()
        if session.is_wanted:
            return (("Set-Cookie", f"{self._name}={session.id}; {self._attributes}"),)
        return self._clearing

    def _cleared(self, name: str) -> Header:
        return "Set-Cookie", f"{name}=deleted; {_PAST}; {self._attributes}"
