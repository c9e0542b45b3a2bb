"""The preferences of users, and their defaults.

https://www.mediawiki.org/wiki/Manual:User_preferences
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.api.request import User
from wikiapi.store import Database
from wikiapi.store.models import UserProperties
from wikiapi.wikitext import Signature
from wikiapi_plugins.facts import facts

_LONGEST_SIGNATURE = 255
"""In characters; a longer signature is not used."""


def default_options() -> Mapping[str, Any]:
    """Return all preferences with their default values."""
    options: Mapping[str, Any] = facts("useroptions")
    return options


def stored_options(db: Database, user_id: int) -> dict[str, str]:
    """Return the preferences that an account has changed. One query."""
    query = UserProperties.select(UserProperties.up_property, UserProperties.up_value)
    rows = db.execute(query.where(UserProperties.up_user == user_id))
    return {name: value or "" for name, value in rows}


def options_of(user: User) -> dict[str, Any]:
    """Return all preferences of the user of a request; ``"0"`` becomes 0, as in MediaWiki."""
    own = {name: 0 if value == "0" else value for name, value in user.options.items()}
    return {**default_options(), **own}


def option(user: User, name: str) -> Any:
    """Return one preference of the user of a request, ``None`` if there is no such preference."""
    value = user.options.get(name, default_options().get(name))
    return 0 if value == "0" else value


def signature_of(user: User) -> Signature:
    """Return the signature of the user of a request."""
    text = user.options.get("nickname", "")
    if len(text) > _LONGEST_SIGNATURE:
        return Signature()
    return Signature(text, bool(option(user, "fancysig")))
