"""Writing to a wiki: accounts that can log in, and the actions that change pages and files.

All of it is active only on a writable wiki.
"""

from __future__ import annotations

from collections.abc import Iterable

from peewee import Model

from wikiapi.api.request import Session, User
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi_plugins.editing.identity.sessions import find_login, user_of
from wikiapi_plugins.editing.tables import TABLES
from wikiapi_plugins.editing.writable import is_writable


@hookimpl
def register_models() -> Iterable[type[Model]]:
    """Return the additional tables of a writable wiki.

    A read-only one has them too, because a wiki that is read-only for a while keeps its accounts.
    """
    return TABLES


@hookimpl
def resolve_user(site: Site, session: Session) -> User | None:
    """Return the account that is logged in; ``None`` for a visitor or on a read-only wiki."""
    login = find_login(site, session) if is_writable(site) else None
    user = user_of(site, login) if login else None
    if login and user:
        session.user_id = user.id
        session.authenticated_at = None if login.app_id else login.since
    return user
