"""Conditions on the user who did something, by name or ``#id``; queries must join ``actor``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import QueryModule, at_most_one_of
from wikiapi.store.models import Actor
from wikiapi_plugins.query.authorship import visible_to

KINDS = ("name", "ip", "temp", "id", "interwiki")
"""The ways in which the parameters may name a user."""


def is_user(name: str) -> Any:
    """Return the condition that the actor is this user."""
    if name.startswith("#"):
        return (Actor.actor_user == int(name[1:])) & Actor.actor_user.is_null(False)
    return Actor.actor_name == name


def by_user(module: QueryModule, deleted: Any, what: int) -> list[Any]:
    """Return the conditions of ``user`` and ``excludeuser``.

    Rows whose user is hidden from the reader match neither.

    Args:
        module: the module, which declares both parameters.
        deleted: the column of visibility bits.
        what: the bit that hides the user.

    Raises:
        ApiError: ``invalidparammix``, if a request has both.
    """
    at_most_one_of(module, "user", "excludeuser")
    included, excluded = module.p.text_or_none("user"), module.p.text_or_none("excludeuser")
    if included is not None:
        return [is_user(included), *visible_to(module.context.user, deleted, what)]
    if excluded is not None:
        return [~is_user(excluded), *visible_to(module.context.user, deleted, what)]
    return []
