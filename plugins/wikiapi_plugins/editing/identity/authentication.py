"""Authentication by an account's own password or by one of its bot passwords."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from wikiapi.api.params.types.title import user_kind, user_text
from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.store.passwords import verify
from wikiapi_plugins.editing.identity.sessions import LoggedIn
from wikiapi_plugins.editing.tables import BotPasswords

_SEPARATOR = "@"


@dataclass(frozen=True, slots=True)
class Account:
    """An account whose password a client has given, and the session to open for it."""

    name: str
    login: LoggedIn


def canonical_name(site: Site, name: str) -> str | None:
    """Return the canonical form of a user name; ``None`` if no account can have it."""
    kind, canonical = user_kind(user_text(name, site) or "")
    return canonical if kind == "name" else None


def by_password(site: Site, name: str, password: str) -> Account | None:
    """Return the account with a name, if the password is right; ``None`` otherwise. One query."""
    query = User.select(User.user_id, User.user_name, User.user_password)
    row = site.db.row(query.where(User.user_name == (canonical_name(site, name) or "")))
    if not verify(password, row[2] if row else None) or row is None:
        return None
    return Account(row[1], LoggedIn(row[0]))


def by_bot_password(site: Site, name: str, password: str, address: str) -> Account | None:
    """Return the account, if the bot password is right and may be used from an address.

    ``None`` otherwise. Either the name is ``User@app``, or the password is ``app@secret``. One
    query.
    """
    user, app_id, secret = _parts(name, password)
    query = (
        User.select(
            User.user_id, User.user_name, BotPasswords.bp_password, BotPasswords.bp_restrictions
        )
        .join_from(User, BotPasswords, on=(BotPasswords.bp_user == User.user_id))
        .where(
            User.user_name == (canonical_name(site, user) or ""), BotPasswords.bp_app_id == app_id
        )
    )
    row = site.db.row(query)
    if not verify(secret, row[2] if row else None) or row is None:
        return None
    if not _may_come_from(row[3], address):
        return None
    return Account(row[1], LoggedIn(row[0], app_id))


def is_bot_login(name: str, password: str) -> bool:
    """Return whether a name and password have the form of a login with a bot password."""
    return bool(_parts(name, password)[1])


def _parts(name: str, password: str) -> tuple[str, str, str]:
    user, _, app_id = name.rpartition(_SEPARATOR)
    if user:
        return user, app_id, password
    app_id, _, secret = password.rpartition(_SEPARATOR)
    return name, app_id, secret


def _may_come_from(restrictions: str, address: str) -> bool:
    allowed = json.loads(restrictions or "{}").get("IPAddresses", ["0.0.0.0/0", "::/0"])
    with suppress(ValueError):
        here = ip_address(address)
        return any(here in ip_network(network, strict=False) for network in allowed)
    return False
