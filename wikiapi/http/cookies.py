"""The cookies of a wiki, which identify the session and the account."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterator
from urllib.parse import quote, unquote

from wikiapi.accounts.user import Session
from wikiapi.api.request import ApiRequest
from wikiapi.config import Config
from wikiapi.http.reply import Header

_SESSION_ID = re.compile(r"[A-Za-z0-9_-]{32,64}\Z", re.ASCII)
_NOT_IN_NAMES = str.maketrans("=,; +.\"'\\[\t", "___________")
_ID_DIGITS = 32
_POSITION = re.compile(
    r"(?P<signed>(?P<position>[0-9]{1,19})@(?P<time>[0-9]{1,12}))#(?P<id>[0-9a-f]{32})", re.ASCII
)
_POSITION_LASTS = 10
"""Seconds for which replicas may lack what a client has written, as in MediaWiki."""
_PAST = "expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0"
_LASTING = "Max-Age=2592000"
_KEY_BYTES = 32


def cookie_prefix(config: Config) -> str:
    """Return the prefix of the names of a wiki's cookies."""
    return config.site.wiki_id.translate(_NOT_IN_NAMES)


class PositionCookie:
    """The cookie ``cpPosIndex``, with what its client has written for the last ten seconds.

    As in MediaWiki, it consists of a position in the changes of the database, a time and an id:
    ``POSITION@SECONDS#ID``. The id is a signature, so that nobody can make the server wait for a
    position that does not exist.
    """

    name = "cpPosIndex"

    def __init__(self, config: Config) -> None:
        """Take the settings; without a key, a random one is used until the process ends."""
        secret = config.http.secret_key.encode() or secrets.token_bytes(_KEY_BYTES)
        self._key = config.site.wiki_id.encode() + b"\0" + secret
        self._secure = "; Secure" if config.http.secure_cookies else ""

    def read(self, value: str, now: float) -> int:
        """Return the position in a quoted value; 0 if it is malformed, forged or too old."""
        parts = _POSITION.fullmatch(unquote(value))
        if parts is None or not hmac.compare_digest(parts["id"], self._sign(parts["signed"])):
            return 0
        is_recent = 0 <= now - int(parts["time"]) <= _POSITION_LASTS
        return int(parts["position"]) if is_recent else 0

    def header(self, position: int, now: float) -> Header:
        """Return the header that sets the cookie."""
        signed = f"{position}@{int(now)}"
        value = quote(f"{signed}#{self._sign(signed)}")
        lasting = f"Max-Age={_POSITION_LASTS}; path=/{self._secure}; HttpOnly"
        return "Set-Cookie", f"{self.name}={value}; {lasting}"

    def _sign(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), "sha256").hex()[:_ID_DIGITS]


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
