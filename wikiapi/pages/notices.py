"""Notifying users of changes to the pages that they watch and to their own talk page."""

from __future__ import annotations

from wikiapi.accounts.user import User
from wikiapi.store import CompiledQuery, Database
from wikiapi.store.models import User as UserTable
from wikiapi.store.models import Watchlist
from wikiapi.store.models.writing import UserNewTalk
from wikiapi.title import USER_TALK, Title
from wikiapi.title.addresses import spell_address

_NOTIFY_WATCHERS = CompiledQuery(
    lambda moment, namespace, dbkey, author_id: Watchlist.update(
        wl_notificationtimestamp=moment
    ).where(
        Watchlist.wl_namespace == namespace,
        Watchlist.wl_title == dbkey,
        Watchlist.wl_user != author_id,
        Watchlist.wl_notificationtimestamp.is_null(),
    )
)


def notify_watchers(db: Database, author: User, title: Title, moment: str) -> None:
    """Record for all users who watch a page, except the author, that it has changed."""
    db.execute_write(_NOTIFY_WATCHERS(moment, title.ns, title.dbkey, author.id))


def notify_of_edit(
    db: Database, author: User, title: Title, moment: str, *, is_minor: bool
) -> None:
    """Record for a user that somebody else has edited their talk page.

    Minor edits by users with the right ``nominornewtalk`` are not recorded.
    """
    if title.ns != USER_TALK or "/" in title.text or title.text == author.name:
        return
    if is_minor and author.can("nominornewtalk"):
        return
    row = _addressee(db, title.text)
    if row is None:
        return
    own = (UserNewTalk.user_id == row[0]) & (UserNewTalk.user_ip == row[1])
    if db.scalar(UserNewTalk.select(UserNewTalk.user_id).where(own)) is None:
        columns = ("user_id", "user_ip", "user_last_timestamp")
        db.insert_many(UserNewTalk, [(*row, moment)], columns)


def _addressee(db: Database, name: str) -> tuple[int, str] | None:
    """Return the user id (0 for none) and IP address of a talk page's owner.

    ``None`` if there is no such user.
    """
    if spell_address(name) == name:
        return 0, name
    user_id = db.scalar(UserTable.select(UserTable.user_id).where(UserTable.user_name == name))
    return None if user_id is None else (user_id, "")


def forget_messages(db: Database, user: User) -> None:
    """Record that a user has seen their talk page."""
    own = UserNewTalk.user_id == user.id
    if user.is_anonymous:
        own &= UserNewTalk.user_ip == user.name
    db.execute_write(UserNewTalk.delete().where(own))
