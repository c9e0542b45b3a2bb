r"""Tokens: proof that a request was prepared in the session it comes from.

A visitor without account has one token for everything that is done in an account's name, ``+\``.
Tokens that concern logging in are signed: 32 hexadecimal digits of signature, the time of issue in
hexadecimal seconds since 1970, then ``+\``, as MediaWiki writes them.
"""

from __future__ import annotations

import hmac
import re
from datetime import UTC, datetime

from wikiapi.api.request import Session

SUFFIX = "+\\"
CSRF, LOGIN = "csrf", "login"
TOKEN_TYPES = (
    "createaccount",
    "csrf",
    "login",
    "patrol",
    "rollback",
    "userrights",
    "watch",
)
SIGNED_TYPES = frozenset({"createaccount", "login"})
"""The types whose tokens are bound to the session of a visitor without account."""

_SIGNATURE_LENGTH = 32
_NOT_HEXADECIMAL = re.compile(r"[^0-9A-Fa-f]")
_LAST_SECOND = 253_402_300_799


def issue(session: Session, kind: str, now: datetime) -> str:
    """Return a token of a type; for a signed one the client is given the session as well."""
    if kind not in SIGNED_TYPES:
        return SUFFIX
    session.persist()
    return _signed(session, kind, int(now.timestamp()))


def matches(
    token: str, session: Session, kind: str, now: datetime, max_age: int | None = None
) -> bool:
    """Whether a token was issued for a type in a session, at most ``max_age`` seconds ago."""
    if kind not in SIGNED_TYPES:
        return _equal(token, SUFFIX)
    seconds = _issued_second(token)
    if seconds is None or (max_age is not None and seconds < now.timestamp() - max_age):
        return False
    return _equal(token, _signed(session, kind, seconds))


def issued_at(token: str) -> datetime | None:
    """When a token says it was issued, be it valid or not; ``None`` when it does not say."""
    seconds = _issued_second(token)
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _issued_second(token: str) -> int | None:
    """MediaWiki reads the time past anything that is no digit; beyond year 9999 there is none."""
    if len(token) <= _SIGNATURE_LENGTH + len(SUFFIX):
        return None
    digits = _NOT_HEXADECIMAL.sub("", token[_SIGNATURE_LENGTH : -len(SUFFIX)][:64])
    seconds = int(digits or "0", 16)
    return seconds if seconds <= _LAST_SECOND else None


def _signed(session: Session, kind: str, seconds: int) -> str:
    signature = session.sign(f"{kind}|{seconds}")[:_SIGNATURE_LENGTH]
    return f"{signature}{seconds:08x}{SUFFIX}"


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(
        one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass")
    )
