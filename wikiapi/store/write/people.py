"""Actors, accounts and summaries: who did it, and what they said."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.store.models import Actor, Comment, User
from wikiapi.store.write.ids import Acquirer, next_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikiapi.store.database import Database


_LONGEST_REMEMBERED = 500
"""Characters that MediaWiki leaves of a summary."""


class Person(NamedTuple):
    """Who acted. ``user_id`` is 0 for an address and for an account of another wiki."""

    user_id: int
    name: str


class Actors(Acquirer[Person]):
    """Ids of actors. A name is one actor for ever, with the account it was first seen with."""

    def find(self, keys: list[Person]) -> dict[Person, int]:
        query = Actor.select(Actor.actor_name, Actor.actor_id)
        ids: dict[str, int] = dict(
            self.db.rows(query.where(Actor.actor_name.in_([key.name for key in keys])))
        )
        return {key: ids[key.name] for key in keys if key.name in ids}

    def make(self, keys: list[Person]) -> dict[Person, int]:
        start = next_id(self.db, Actor.actor_id)
        names = dict.fromkeys(key.name for key in keys)
        ids = dict(zip(names, range(start, start + len(names)), strict=True))
        users = self._free_accounts(keys)
        rows = [(number, users.get(name), name) for name, number in ids.items()]
        self.db.insert_many(Actor, rows)
        return {key: ids[key.name] for key in keys}

    def _free_accounts(self, keys: list[Person]) -> dict[str, int]:
        """The account of each name, unless it belongs to another name already."""
        wanted = {key.user_id: key.name for key in reversed(keys) if key.user_id}
        query = Actor.select(Actor.actor_user).where(Actor.actor_user.in_(list(wanted)))
        taken = {user_id for (user_id,) in self.db.rows(query)}
        return {name: user_id for user_id, name in wanted.items() if user_id not in taken}


class Comments(Acquirer[str]):
    """Ids of summaries by their text; those that no editor can write are not remembered."""

    def find(self, keys: list[str]) -> dict[str, int]:
        hashes = [comment_hash(text) for text in keys]
        query = Comment.select(Comment.comment_text, Comment.comment_id).where(
            Comment.comment_hash.in_(hashes) & Comment.comment_data.is_null()
        )
        found: dict[str, int] = dict(self.db.rows(query))
        return {text: found[text] for text in keys if text in found}

    def make(self, keys: list[str]) -> dict[str, int]:
        start = next_id(self.db, Comment.comment_id)
        ids = dict(zip(keys, range(start, start + len(keys)), strict=True))
        rows = [(number, comment_hash(text), text, None) for text, number in ids.items()]
        self.db.insert_many(Comment, rows)
        return ids

    def _remember(self, ids: Mapping[str, int]) -> None:
        super()._remember({text: ids[text] for text in ids if len(text) <= _LONGEST_REMEMBERED})


def comment_hash(text: str, data: str = "") -> int:
    """The hash of comment_hash: CRC-32 of text and data, as a signed integer of 32 bits."""
    value = zlib.crc32((text + data).encode())
    return value - (1 << 32) if value & (1 << 31) else value


def ensure_users(db: Database, people: Iterable[Person]) -> None:
    """Make accounts that have a name and nothing else, for those ids that have none."""
    rows = [
        (person.user_id, person.name, "", "", "", "", "19700101000000")
        for person in people
        if person.user_id
    ]
    columns = (
        "user_id",
        "user_name",
        "user_real_name",
        "user_password",
        "user_newpassword",
        "user_email",
        "user_touched",
    )
    if rows:
        db.insert_many(User, rows, columns, on_conflict="ignore")
