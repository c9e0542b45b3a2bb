"""Passwords: the rules that they must keep, and how they are stored.

Stored ones have MediaWiki's format ``:pbkdf2:sha512:30000:64:SALT:HASH``, with base64 values.

https://www.mediawiki.org/wiki/Manual:$wgPasswordPolicy
https://www.mediawiki.org/wiki/Manual:User_table#user_password
"""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from wikiapi.languages.message import Message

SHORTEST, LONGEST = 8, 4096
"""The minimum length of a password in characters, and its maximum in bytes."""
_SHORTEST_OF_STRICT_GROUPS = 10
_STRICT_GROUPS = frozenset({"sysop", "interface-admin", "bureaucrat", "bot"})
_KIND = "pbkdf2"
_DIGEST, _ROUNDS, _LENGTH = "sha512", 30_000, 64
_SALT_BYTES = 16
_MAX_ROUNDS = 1_000_000
"""Maximum number of rounds that are computed, since a stored value may be malicious."""


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
    if len(password.encode("utf-8", "replace")) > LONGEST:
        return False
    parsed = _parse(stored or "")
    parts = parsed or _parse(_NOBODY)
    if parts is None:
        return False
    made = hashlib.pbkdf2_hmac(
        parts.digest,
        password.encode("utf-8", "replace"),
        parts.salt,
        parts.rounds,
        parts.length,
    )
    return hmac.compare_digest(made, parts.hash) and parsed is not None


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


def password_errors(password: str, user: str, groups: tuple[str, ...] = ()) -> Iterator[Message]:
    """Yield the rules that a password breaks.

    Args:
        password: the password.
        user: the name of its user; empty if it is not known yet.
        groups: the groups of the user, some of which require longer passwords.
    """
    if len(password.encode("utf-8", "replace")) > LONGEST:
        yield Message("passwordtoolong", (LONGEST,))
    shortest = SHORTEST if _STRICT_GROUPS.isdisjoint(groups) else _SHORTEST_OF_STRICT_GROUPS
    if len(password) < shortest:
        yield Message("passwordtooshort", (shortest,))
    if user and password.lower() in user.lower():
        yield Message("password-substring-username-match")
    if is_common(password):
        yield Message("passwordincommonlist")


def is_common(password: str) -> bool:
    """Return whether a password is in the list of common ones; case does not matter."""
    line = f"\n{password.lower()}\n"
    return "\n" not in password and line.encode("utf-8", "replace") in _common_passwords()


@cache
def _common_passwords() -> bytes:
    """Return the common passwords, each between two line feeds.

    The 330 kB are searched in a tenth of a millisecond.
    """
    return gzip.decompress(files(__package__).joinpath("commonpasswords.txt.gz").read_bytes())


def is_usable(password: str) -> bool:
    """Return whether a password can be used at all: it is not empty, and not too long to hash."""
    return 0 < len(password.encode("utf-8", "replace")) <= LONGEST
