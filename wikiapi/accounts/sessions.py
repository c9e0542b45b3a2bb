"""Sessions of accounts: which account is logged in under the session id in a client's cookie.

A visitor's session has only an id, and no entry in the table ``objectcache``.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from wikiapi.accounts.grants import rights_of_grants
from wikiapi.accounts.groups import implicit_groups, rights_of
from wikiapi.accounts.objectcache import Entries
from wikiapi.accounts.preferences import stored_options
from wikiapi.accounts.user import Session, User
from wikiapi.site import Site
from wikiapi.store.models import User as UserTable
from wikiapi.store.models.writing import BotPasswords
from wikiapi.store.queries import users
from wikiapi.timestamps import compact

_LASTS = timedelta(days=30)
_SESSIONS = Entries("session", _LASTS)


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """The content of a session: its account, and the bot password with which it was opened.

    ``app_id`` is empty if it was opened with the account's own password. ``since`` is when it was
    opened; ``None`` before it is stored.
    """

    user_id: int
    app_id: str = ""
    since: datetime | None = None


def log_in(site: Site, session: Session, name: str, login: LoggedIn) -> None:
    """Replace the client's session by a new one, with a new id, in which an account is logged in.

    This also removes the expired sessions of the wiki.
    """
    _SESSIONS.delete(site, session.id)
    session_id = secrets.token_hex(16)
    now = site.clock()

    def put() -> None:
        with site.db.atomic():
            _SESSIONS.delete_expired(site)
            _SESSIONS.put(site, session_id, _stored(login), now + _LASTS)

    site.db.repeated(put)
    session.log_in(session_id, login.user_id, name)
    session.authenticated_at = None if login.app_id else now


def _stored(login: LoggedIn) -> str:
    return json.dumps({"user": login.user_id, "app": login.app_id})


def log_out(site: Site, session: Session) -> None:
    """End a session and give the client a new session id."""
    _SESSIONS.delete(site, session.id)
    session.log_out(secrets.token_hex(16))


def change_password(site: Site, user_id: int, stored: str) -> None:
    """Change the password of an account; end its sessions and remove its temporary password.

    As in MediaWiki, nobody can log in with its bot passwords any more until they are made anew, but
    sessions that were opened with them stay.
    ``stored`` is the value of :func:`~wikiapi.accounts.passwords.hash_password`, which takes some
    time, and is therefore called before the transaction.
    """
    changed = UserTable.update(
        user_password=stored,
        user_token=secrets.token_hex(16),
        user_newpassword="",
        user_newpass_time=None,
    )
    site.db.execute_write(changed.where(UserTable.user_id == user_id))
    unusable = BotPasswords.update(bp_password="")
    site.db.execute_write(unusable.where(BotPasswords.bp_user == user_id))
    _SESSIONS.delete_by_value(site, _stored(LoggedIn(user_id)))


def find_login(site: Site, session: Session) -> LoggedIn | None:
    """Return the login of a session; ``None`` for a visitor or an expired session. One query."""
    entry = _SESSIONS.get(site, session.id)
    if entry is None:
        return None
    stored = json.loads(entry.value)
    return LoggedIn(stored["user"], stored["app"], entry.expires - _LASTS)


def session_user(site: Site, session: Session) -> User | None:
    """Return the account that is logged in; ``None`` for a visitor or on a read-only wiki.

    This also tells the session its account. At most five queries.
    """
    login = find_login(site, session) if site.is_writable else None
    user = user_of(site, login) if login else None
    if login and user:
        session.user_id = user.id
        session.authenticated_at = None if login.app_id else login.since
    return user


def user_of(site: Site, login: LoggedIn) -> User | None:
    """Return the account of a session, with its rights and preferences; ``None`` if it is gone.

    With a bot password, the account has only the rights that the bot password grants. At most four
    queries.
    """
    # A hidden account stays logged in, so that its block applies to it.
    row = users.by_ids(site.db, [login.user_id], with_hidden=True).get(login.user_id)
    if row is None:
        return None
    now = compact(site.clock())
    member = users.groups(site.db, [row.user_id]).get(row.user_id, [])
    explicit = [group.group for group in member if group.is_in_force(now)]
    groups = (*explicit, *implicit_groups(site, row, now))
    rights = frozenset(rights_of(site, groups))
    if login.app_id:
        query = BotPasswords.select(BotPasswords.bp_grants).where(
            BotPasswords.bp_user == login.user_id, BotPasswords.bp_app_id == login.app_id
        )
        stored = site.db.scalar(query)
        grants = None if stored is None else list(json.loads(stored))
        if grants is None:
            return None
        rights &= rights_of_grants(grants)
    return User(row.name, rights, row.user_id, groups, stored_options(site.db, row.user_id))
