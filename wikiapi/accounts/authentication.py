"""Authentication by an account's own password, a temporary one or one of its bot passwords.

Temporary passwords are mailed to users who have forgotten their own. Users who log in with one must
choose a new password before the login is complete. Until then, the pending login is stored under
the visitor's session id.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from wikiapi.accounts.names import canonical_name
from wikiapi.accounts.objectcache import Entries
from wikiapi.accounts.passwords import hash_password, verify
from wikiapi.accounts.sessions import LoggedIn
from wikiapi.accounts.user import Session
from wikiapi.errors import WikiapiError
from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.store.models.writing import BotPasswords
from wikiapi.timestamps import compact

_SEPARATOR = "@"
_SECRET = re.compile(r"[0-9a-w]{32,}+")
"""The form of the secrets that MediaWiki makes."""
_TEMPORARY_LASTS = timedelta(days=7)
"""https://www.mediawiki.org/wiki/Manual:$wgNewPasswordExpiry"""
_NOT_AGAIN_WITHIN = timedelta(hours=24)
"""https://www.mediawiki.org/wiki/Manual:$wgPasswordReminderResendTime"""
_LOGIN_LASTS = timedelta(hours=1)
_LOGINS = Entries("login", _LOGIN_LASTS)
"""The ids of accounts with a pending login, by the ids of sessions."""
_NOBODY = 0
"""An id that no account has."""
_BYTES = 9
"""Random bytes in a password; encoded, it has a third more characters."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account whose password a client has given, and the session to open for it."""

    name: str
    login: LoggedIn


class UnusableBotPassword(WikiapiError):
    """A bot password must be made anew, because the password of its account was changed."""

    def __init__(self, name: str, app_id: str) -> None:
        """Take the names of the account and of the bot password."""
        super().__init__(f"the bot password {app_id!r} of {name!r} must be made anew")
        self.name, self.app_id = name, app_id


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

    Raises:
        UnusableBotPassword: it must be made anew. As in MediaWiki, any secret of the right form is
            told so.
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
    is_right = verify(secret, row[2] if row else None)
    if row is None or not _may_come_from(row[3], address):
        return None
    if not row[2] and _SECRET.fullmatch(secret):
        raise UnusableBotPassword(row[1], app_id)
    return Account(row[1], LoggedIn(row[0], app_id)) if is_right else None


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


def was_made_lately(site: Site, made: str | None) -> bool:
    """Return whether an account's temporary password is too recent for another one to be sent.

    One from the future was made before the clock was put back.
    """
    now = site.clock()
    return bool(made) and compact(now - _NOT_AGAIN_WITHIN) < str(made) <= compact(now)


class TemporaryPassword(NamedTuple):
    """A password, and the value to store for it."""

    text: str
    stored: str


def new_temporary_password() -> TemporaryPassword:
    """Return a new password. Hashing it takes some time: do it before a transaction."""
    text = secrets.token_urlsafe(_BYTES)
    return TemporaryPassword(text, hash_password(text))


def set_temporary_password(
    site: Site, user_ids: Sequence[int], password: TemporaryPassword
) -> None:
    """Give accounts a temporary password, which replaces earlier ones.

    This does the same for no account as for several: one statement.
    """
    update = User.update(user_newpassword=password.stored, user_newpass_time=compact(site.clock()))
    site.db.execute_write(update.where(User.user_id.in_(list(user_ids) or [_NOBODY])))


def remove_temporary_password(site: Site, user_id: int) -> None:
    """Remove the temporary password of an account."""
    gone = User.update(user_newpassword="", user_newpass_time=None)
    site.db.execute_write(gone.where(User.user_id == user_id))


def by_temporary_password(site: Site, name: str, password: str) -> Account | None:
    """Return the account with a name, if the temporary password is right; ``None`` otherwise.

    One query. It takes the same time for accounts without a temporary password.
    """
    now = site.clock()
    query = User.select(User.user_id, User.user_name, User.user_newpassword).where(
        User.user_name == (canonical_name(site, name) or ""),
        User.user_newpassword != "",
        User.user_newpass_time > compact(now - _TEMPORARY_LASTS),
        User.user_newpass_time <= compact(now),
    )
    row = site.db.row(query)
    if not verify(password, row[2] if row else None) or row is None:
        return None
    return Account(row[1], LoggedIn(row[0]))


def begin_login(site: Site, session: Session, user_id: int) -> None:
    """Store that a visitor has authenticated as an account and must now choose a password.

    The session gets a new id, so that nobody who knew the old one can choose the password.
    """
    expires = site.clock() + _LOGIN_LASTS
    end_login(site, session)
    session.log_out(secrets.token_hex(16))
    _LOGINS.put(site, session.id, str(user_id), expires)


def pending_login(site: Site, session: Session) -> Account | None:
    """Return the account of a pending login; ``None`` if there is none. At most two queries."""
    entry = _LOGINS.get(site, session.id)
    if entry is None:
        return None
    user_id = int(entry.value)
    name = site.db.scalar(User.select(User.user_name).where(User.user_id == user_id))
    return None if name is None else Account(name, LoggedIn(user_id))


def end_login(site: Site, session: Session) -> None:
    """Remove the pending login of a session."""
    _LOGINS.delete(site, session.id)
