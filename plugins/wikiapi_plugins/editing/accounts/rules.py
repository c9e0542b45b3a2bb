"""The rules for passwords, mail addresses and the names of new accounts.

https://www.mediawiki.org/wiki/Manual:$wgPasswordPolicy
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from wikiapi.i18n import Message
from wikiapi.site import Site
from wikiapi_plugins.editing.identity.authentication import canonical_name
from wikiapi_plugins.query.users.users import RESERVED_NAMES

SHORTEST, LONGEST = 8, 4096
"""The minimum length of a password in characters, and its maximum in bytes."""
_SHORTEST_OF_STRICT_GROUPS = 10
_STRICT_GROUPS = frozenset({"sysop", "interface-admin", "bureaucrat", "bot"})
_FORBIDDEN_IN_NAMES = "@:>="
_LONGEST_NAME = 255
"""Bytes."""
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*", re.ASCII)
_LONGEST_ADDRESS = 255


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


def is_mail_address(text: str) -> bool:
    """Return whether a text has the form of a mail address, as HTML defines it.

    https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
    """
    return len(text) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None


def name_of_new_account(site: Site, name: str) -> str | None:
    """Return the canonical form of a user name; ``None`` if no new account may have it."""
    spelled = canonical_name(site, name)
    if spelled is None or spelled in RESERVED_NAMES or spelled.startswith("~2"):
        return None
    if any(sign in spelled for sign in _FORBIDDEN_IN_NAMES):
        return None
    return spelled if len(spelled.encode()) <= _LONGEST_NAME else None
