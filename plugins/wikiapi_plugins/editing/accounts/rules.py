"""The rules for passwords, and for names of new accounts.

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
"""Characters of a password that is good, and bytes of one that can be used at all."""
_SHORTEST_OF_RIGHTS = 10
_STRICT_GROUPS = frozenset({"sysop", "interface-admin", "bureaucrat", "bot"})
_FORBIDDEN_IN_NAMES = "@:>="
_LONGEST_NAME = 255
"""Bytes."""
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*", re.ASCII)
_LONGEST_ADDRESS = 255


def faults_of_password(password: str, user: str, groups: tuple[str, ...] = ()) -> Iterator[Message]:
    """Yield what is wrong with a password for a user, who may have no name yet."""
    if len(password.encode("utf-8", "replace")) > LONGEST:
        yield Message("passwordtoolong", (LONGEST,))
    shortest = SHORTEST if _STRICT_GROUPS.isdisjoint(groups) else _SHORTEST_OF_RIGHTS
    if len(password) < shortest:
        yield Message("passwordtooshort", (shortest,))
    if user and password.lower() in user.lower():
        yield Message("password-substring-username-match")
    if is_common(password):
        yield Message("passwordincommonlist")


def is_common(password: str) -> bool:
    """Return whether a password is one of those that many people use, whatever its case."""
    line = f"\n{password.lower()}\n"
    return "\n" not in password and line.encode("utf-8", "replace") in _common_passwords()


@cache
def _common_passwords() -> bytes:
    """Return the passwords, each between two line feeds: 330 kB, searched in a tenth of a ms."""
    return gzip.decompress(files(__package__).joinpath("commonpasswords.txt.gz").read_bytes())


def is_usable(password: str) -> bool:
    """Return whether a password can be used at all: that it is not too long to be computed."""
    return 0 < len(password.encode("utf-8", "replace")) <= LONGEST


def is_mail_address(text: str) -> bool:
    """Return whether a text has the form of a mail address, as browsers define it.

    https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
    """
    return len(text) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None


def name_of_new_account(site: Site, name: str) -> str | None:
    """Return the spelling of a name that a new account can have, ``None`` if none can be."""
    spelled = canonical_name(site, name)
    if spelled is None or spelled in RESERVED_NAMES or spelled.startswith("~2"):
        return None
    if any(sign in spelled for sign in _FORBIDDEN_IN_NAMES):
        return None
    return spelled if len(spelled.encode()) <= _LONGEST_NAME else None
