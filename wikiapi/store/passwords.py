"""Passwords in MediaWiki's format: ``:pbkdf2:sha512:30000:64:SALT:HASH``, with base64 values.

https://www.mediawiki.org/wiki/Manual:User_table#user_password
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from dataclasses import dataclass

_KIND = "pbkdf2"
_DIGEST, _ROUNDS, _LENGTH = "sha512", 30_000, 64
_SALT_BYTES = 16
_MAX_ROUNDS = 1_000_000
"""Maximum number of rounds that are computed, since a stored value may be malicious."""
_MAX_BYTES = 4096
"""Maximum length of a password; longer ones are refused before anything is computed."""


@dataclass(frozen=True, slots=True)
class _Stored:
    digest: str
    rounds: int
    length: int
    salt: bytes
    hash: bytes


def hash_password(password: str, rounds: int = _ROUNDS) -> str:
    """Return the value to store for a password, with a new salt."""
    salt = secrets.token_bytes(_SALT_BYTES)
    made = hashlib.pbkdf2_hmac(_DIGEST, password.encode(), salt, rounds, _LENGTH)
    encoded = ":".join(base64.b64encode(part).decode() for part in (salt, made))
    return f":{_KIND}:{_DIGEST}:{rounds}:{_LENGTH}:{encoded}"


_NOBODY = hash_password("", _ROUNDS)


def verify(password: str, stored: str | None) -> bool:
    """Return whether a password matches the stored value; ``None`` means that there is none.

    This takes the same time if there is none, so that the time does not reveal which accounts
    exist.
    """
    if len(password.encode("utf-8", "replace")) > _MAX_BYTES:
        return False
    parsed = _parse(stored or "")
    known = parsed or _parse(_NOBODY)
    if known is None:
        return False
    made = hashlib.pbkdf2_hmac(
        known.digest, password.encode("utf-8", "replace"), known.salt, known.rounds, known.length
    )
    return hmac.compare_digest(made, known.hash) and parsed is not None


def _parse(stored: str) -> _Stored | None:
    """Return the parts of a stored value; ``None`` if its format is unknown and cannot match."""
    kind, digest, rounds, length, salt, made = (stored.removeprefix(":").split(":") + [""] * 6)[:6]
    if kind != _KIND or digest not in hashlib.algorithms_available:
        return None
    if not (rounds.isdecimal() and length.isdecimal()) or int(rounds) > _MAX_ROUNDS:
        return None
    try:
        return _Stored(
            digest,
            max(int(rounds), 1),
            int(length),
            base64.b64decode(salt, validate=True),
            base64.b64decode(made, validate=True),
        )
    except binascii.Error:
        return None
