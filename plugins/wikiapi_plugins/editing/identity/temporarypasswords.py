"""Temporary passwords, which are mailed to users who have forgotten their own.

Users who log in with one must choose a new password before the login is complete. Until then, the
pending login is stored under the visitor's session id.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from wikiapi.api import compact
from wikiapi.api.request import Session
from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.store.passwords import hash_password, verify
from wikiapi_plugins.editing.identity.authentication import Account, canonical_name
from wikiapi_plugins.editing.identity.sessions import LoggedIn
from wikiapi_plugins.editing.objectcache import Entries

_LASTS = timedelta(days=7)
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


def generate() -> TemporaryPassword:
    """Return a new password. Hashing it takes some time: do it before a transaction."""
    text = secrets.token_urlsafe(_BYTES)
    return TemporaryPassword(text, hash_password(text))


def give(site: Site, user_ids: Sequence[int], password: TemporaryPassword) -> None:
    """Give accounts a temporary password, which replaces earlier ones.

    This does the same for no account as for several: one statement.
    """
    given = User.update(user_newpassword=password.stored, user_newpass_time=compact(site.clock()))
    site.db.execute_write(given.where(User.user_id.in_(list(user_ids) or [_NOBODY])))


def forget(site: Site, user_id: int) -> None:
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
        User.user_newpass_time > compact(now - _LASTS),
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
