r"""Tokens: proof that a request was prepared in the session it comes from.

A visitor without account has one token for everything that is done in an account's name, ``+\``.
Those of an account, and all that concern logging in, are signed: 32 hexadecimal digits of
signature, the time of issue in hexadecimal seconds since 1970, then ``+\``, as MediaWiki has it.
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
    if not _is_signed(session, kind):
        return SUFFIX
    session.persist()
    return _signed(session, kind, int(now.timestamp()))


def matches(
    token: str, session: Session, kind: str, now: datetime, max_age: int | None = None
) -> bool:
    """Return whether a session was issued a token of a type, at most ``max_age`` seconds ago."""
    if not _is_signed(session, kind):
        return _equal(token, SUFFIX)
    seconds = _issued_second(token)
    if seconds is None or (max_age is not None and seconds < now.timestamp() - max_age):
        return False
    return _equal(token, _signed(session, kind, seconds))


def issued_at(token: str) -> datetime | None:
    """Return the time at which a token was issued, valid or not; ``None`` if it contains none."""
    seconds = _issued_second(token)
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _is_signed(session: Session, kind: str) -> bool:
    return session.user_id > 0 or kind in SIGNED_TYPES


def _issued_second(token: str) -> int | None:
    """Return the time of a token; MediaWiki skips what is not a digit; none beyond year 9999."""
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
