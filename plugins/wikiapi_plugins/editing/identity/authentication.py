"""Proving to be an account: by its own password, or by one of its bot passwords."""

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
    """An account that a client has proved to be, and what its session is to be."""

    name: str
    login: LoggedIn


def canonical_name(site: Site, name: str) -> str | None:
    """Return a user name in its one spelling; ``None`` if no account can be called so."""
    kind, canonical = user_kind(user_text(name, site) or "")
    return canonical if kind == "name" else None


def by_password(site: Site, name: str, password: str) -> Account | None:
    """Return the account whose own password it is, if there is one. One query."""
    query = User.select(User.user_id, User.user_name, User.user_password)
    row = site.db.row(query.where(User.user_name == (canonical_name(site, name) or "")))
    if not verify(password, row[2] if row else None) or row is None:
        return None
    return Account(row[1], LoggedIn(row[0]))


def by_bot_password(site: Site, name: str, password: str, address: str) -> Account | None:
    """Return the account whose bot password it is, if it may be used from an address. One query.

    Either the name is ``User@app``, or the password is ``app@secret``.
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
    """Return whether a name and password have the form of a bot password."""
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
