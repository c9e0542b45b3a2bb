"""The names of users and accounts."""

from __future__ import annotations

import re

from wikiapi.site import Site
from wikiapi.title.addresses import spell_address
from wikiapi.title.namespaces import USER

_NO_NAME = re.compile(
    "[#/\x80-\x9f\u2000-\u200f\u2028-\u202f\u3000\ue000-\uf8ff]"
    r"|\A[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\Z"
)
"""Matches texts that cannot be account names: subpages, invisible letters, IP-like texts."""
_HIDDEN_ADDRESS = re.compile(r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.xxx\Z")
"""The format in which early versions of MediaWiki stored IP addresses."""
_FORBIDDEN_IN_NAMES = "@:>="
_LONGEST_NAME = 255
"""Bytes."""
RESERVED_NAMES = (
    "MediaWiki default",
    "Conversion script",
    "Maintenance script",
    "Template namespace initialisation script",
    "ScriptImporter",
    "Delete page script",
    "Move page script",
    "Command line script",
    "Unknown user",
)
"""Names under which the software itself acts."""


def user_text(raw: str, site: Site) -> str | None:
    """Return a user name or IP address in the form of a title, ``None`` if it is invalid."""
    title = site.titles.try_parse(raw, USER)
    if title is None or title.ns != USER or title.interwiki or "#" in raw:
        return None
    return title.text


def user_kind(text: str) -> tuple[str, str]:
    """Return the kind of a user name (``name``, ``ip``, ``cidr`` or empty) and its normal form."""
    if address := spell_address(text):
        return ("cidr" if "/" in address else "ip"), address
    if _HIDDEN_ADDRESS.match(text):
        return "ip", text
    return ("" if not text or _NO_NAME.search(text) else "name"), text


def canonical_name(site: Site, text: str) -> str | None:
    """Return the canonical form of an account's name; None if a text cannot be one."""
    kind, name = user_kind(user_text(text, site) or "")
    return name if kind == "name" else None


def name_of_new_account(site: Site, name: str) -> str | None:
    """Return the canonical form of a user name; ``None`` if no new account may have it."""
    spelled = canonical_name(site, name)
    if spelled is None or spelled in RESERVED_NAMES or spelled.startswith("~2"):
        return None
    if any(sign in spelled for sign in _FORBIDDEN_IN_NAMES):
        return None
    return spelled if len(spelled.encode()) <= _LONGEST_NAME else None
