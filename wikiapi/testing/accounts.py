"""Stores the passwords of declared users in MediaWiki's form."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping

from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.store.models.writing import BotPasswords
from wikiapi.testing.declaration import BotPassword, DeclaredUser

_ROUNDS, _LENGTH = 1, 64
"""The parameters of PBKDF2: a single round, because the passwords are not secret, and they are
hashed for every user of every test."""
_ANYWHERE = json.dumps({"IPAddresses": ["0.0.0.0/0", "::/0"]})
_BOT_COLUMNS = (
    "bp_user", "bp_app_id", "bp_password", "bp_token", "bp_restrictions", "bp_grants",
)  # fmt: skip


def write_passwords(site: Site, users: Iterable[DeclaredUser], ids: Mapping[str, int]) -> None:
    """Store the passwords and bot passwords of users, if the wiki is writable."""
    if not site.config.site.writable:
        return
    rows: list[tuple[object, ...]] = []
    for user in users:
        query = User.update(user_password=_stored(user.name, user.secret))
        site.db.execute_write(query.where(User.user_id == ids[user.name]))
        rows += [_bot_row(user, ids[user.name], bot) for bot in user.bot_passwords]
    site.db.insert_many(BotPasswords, rows, _BOT_COLUMNS)


def _bot_row(user: DeclaredUser, user_id: int, bot: BotPassword) -> tuple[object, ...]:
    stored = _stored(f"{user.name}@{bot.app}", bot.password)
    return user_id, bot.app, stored, "", _ANYWHERE, json.dumps(list(bot.grants))


def _stored(name: str, password: str) -> str:
    """Return the stored form of a password, always the same, so that stores can be compared."""
    salt = hashlib.sha256(name.encode()).digest()[:16]
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS, _LENGTH)
    parts = ":".join(base64.b64encode(part).decode() for part in (salt, made))
    return f":pbkdf2:sha512:{_ROUNDS}:{_LENGTH}:{parts}"
