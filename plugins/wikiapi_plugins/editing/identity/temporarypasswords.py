"""Temporary passwords, which are mailed to somebody who has forgotten the own one.

Whoever logs in with one must choose a new password before the login is complete. What is begun is
kept under the id of the visitor's session.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from wikiapi.api import compact
from wikiapi.api.request import Session
from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.store.passwords import hash_password, verify
from wikiapi_plugins.editing.identity.authentication import Account, canonical_name
from wikiapi_plugins.editing.identity.sessions import LoggedIn
from wikiapi_plugins.editing.tables import ObjectCache

_LASTS = timedelta(days=7)
"""https://www.mediawiki.org/wiki/Manual:$wgNewPasswordExpiry"""
_NOT_AGAIN_WITHIN = timedelta(hours=24)
"""https://www.mediawiki.org/wiki/Manual:$wgPasswordReminderResendTime"""
_LOGIN_LASTS = timedelta(hours=1)
_BYTES = 9
"""Random bytes of a password, which has a third more letters."""


def was_made_lately(site: Site, made: str | None) -> bool:
    """Return whether an account got a temporary password that recently that it gets no other."""
    return bool(made) and str(made) > compact(site.clock() - _NOT_AGAIN_WITHIN)


def make(site: Site, user_id: int) -> str:
    """Give an account a temporary password, in place of an earlier one, and return it."""
    password = secrets.token_urlsafe(_BYTES)
    made = User.update(
        user_newpassword=hash_password(password), user_newpass_time=compact(site.clock())
    )
    site.db.execute_write(made.where(User.user_id == user_id))
    return password


def forget(site: Site, user_id: int) -> None:
    """Take an account its temporary password."""
    gone = User.update(user_newpassword="", user_newpass_time=None)
    site.db.execute_write(gone.where(User.user_id == user_id))


def by_temporary_password(site: Site, name: str, password: str) -> Account | None:
    """Return the account whose temporary password it is, if there is one. One query."""
    query = User.select(User.user_id, User.user_name, User.user_newpassword).where(
        User.user_name == (canonical_name(site, name) or ""),
        User.user_newpassword != "",
        User.user_newpass_time > compact(site.clock() - _LASTS),
    )
    row = site.db.row(query)
    if row is None or not verify(password, row[2]):
        return None
    return Account(row[1], LoggedIn(row[0]))


def begin_login(site: Site, session: Session, user_id: int) -> None:
    """Remember that a visitor has proved to be an account, and has to choose a password.

    The session gets another id: whoever knew the old one must not choose the password.
    """
    ends = compact(site.clock() + _LOGIN_LASTS)
    end_login(site, session)
    session.log_out(secrets.token_hex(16))
    row = (_key(site, session), str(user_id), ends)
    site.db.insert_many(ObjectCache, [row], ("keyname", "value", "exptime"))


def begun_login(site: Site, session: Session) -> Account | None:
    """Return the account that a visitor has proved to be. Two queries at most."""
    query = ObjectCache.select(ObjectCache.value).where(
        ObjectCache.keyname == _key(site, session), ObjectCache.exptime > compact(site.clock())
    )
    value = site.db.scalar(query)
    if value is None:
        return None
    name = site.db.scalar(User.select(User.user_name).where(User.user_id == int(value)))
    return None if name is None else Account(name, LoggedIn(int(value)))


def end_login(site: Site, session: Session) -> None:
    """Forget a login that was begun."""
    gone = ObjectCache.delete().where(ObjectCache.keyname == _key(site, session))
    site.db.execute_write(gone)


def _key(site: Site, session: Session) -> str:
    return f"{site.config.site.wiki_id}:wikiapi-login:{session.id}"
