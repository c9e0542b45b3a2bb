r"""CSRF tokens, which prove that a request was prepared in the session in which it is sent.

For visitors without an account, most tokens are just ``+\``. Tokens of accounts, and all tokens for
logging in and creating accounts, are signed. As in MediaWiki, they consist of 32 hexadecimal digits
of the signature, the time of issue in seconds since 1970 in hexadecimal, and ``+\``.
"""

from __future__ import annotations

import hmac
import re
from datetime import UTC, datetime

from wikiapi.accounts.user import Session

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
"""The types whose tokens are signed even for visitors without an account."""

_SIGNATURE_LENGTH = 32
_NOT_HEXADECIMAL = re.compile(r"[^0-9A-Fa-f]")
_LAST_SECOND = 253_402_300_799


def issue(session: Session, kind: str, now: datetime) -> str:
    """Return a token of a type. If it is signed, the answer will set the session's cookie."""
    if not _is_signed(session, kind):
        return SUFFIX
    session.persist()
    return _signed(session, kind, int(now.timestamp()))


def matches(
    token: str, session: Session, kind: str, now: datetime, max_age: int | None = None
) -> bool:
    """Return whether a token of a type was issued in a session, at most ``max_age`` seconds ago."""
    expected = SUFFIX
    if _is_signed(session, kind):
        seconds = _issued_second(token)
        if seconds is None or (max_age is not None and seconds < now.timestamp() - max_age):
            return False
        expected = _signed(session, kind, seconds)
    return hmac.compare_digest(token.encode("utf-8", "surrogatepass"), expected.encode())


def issued_at(token: str) -> datetime | None:
    """Return the time of issue in a token, even if it is invalid; ``None`` if there is none."""
    seconds = _issued_second(token)
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _is_signed(session: Session, kind: str) -> bool:
    return session.user_id > 0 or kind in SIGNED_TYPES


def _issued_second(token: str) -> int | None:
    """Return the time of issue in seconds; None if there is none, or after the year 9999.

    Like in MediaWiki, characters that are not hexadecimal digits are skipped.
    """
    if len(token) <= _SIGNATURE_LENGTH + len(SUFFIX):
        return None
    digits = _NOT_HEXADECIMAL.sub("", token[_SIGNATURE_LENGTH : -len(SUFFIX)][:64])
    seconds = int(digits or "0", 16)
    return seconds if seconds <= _LAST_SECOND else None


def _signed(session: Session, kind: str, seconds: int) -> str:
    signature = session.sign(f"{kind}|{seconds}")[:_SIGNATURE_LENGTH]
    return f"{signature}{seconds:08x}{SUFFIX}"
