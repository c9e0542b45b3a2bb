"""Conditions on who did something, by name or by ``#id``; the table ``actor`` is joined."""

from __future__ import annotations

from typing import Any

from wikiapi.api import QueryModule
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, plain_list
from wikiapi.store.models import Actor
from wikiapi.store.visibility import shown

KINDS = ("name", "ip", "temp", "id", "interwiki")
"""How the parameters may name a user."""


def is_user(name: str) -> Any:
    """A condition: the actor is this user."""
    if name.startswith("#"):
        return (Actor.actor_user == int(name[1:])) & Actor.actor_user.is_null(False)
    return Actor.actor_name == name


def by_user(module: QueryModule, deleted: Any, what: int) -> list[Any]:
    """What the parameters ``user`` and ``excludeuser`` say; hidden users are found by neither.

    Args:
        module: declares both parameters.
        deleted: the column of visibility bits.
        what: the bit that hides the user.

    Raises:
        ApiError: ``invalidparammix``, when both are given.
    """
    wanted, unwanted = module.p["user"], module.p["excludeuser"]
    if wanted is None and unwanted is None:
        return []
    if wanted is not None and unwanted is not None:
        raise one_only(module, "user", "excludeuser")
    condition = is_user(wanted) if wanted is not None else ~is_user(unwanted)
    return [condition, shown(deleted, what)]


def one_only(module: QueryModule, *names: str) -> ApiError:
    """The error of parameters that do not go together."""
    message = Message("apierror-invalidparammix", (plain_list(map(module.full, names)),))
    return ApiError(message, "invalidparammix")


def refuse_mixes(module: QueryModule, *names: str) -> None:
    """See to it that at most one of some parameters is given.

    Raises:
        ApiError: ``invalidparammix``.
    """
    given = [name for name in names if module.p[name] is not None and module.p[name] is not False]
    if len(given) > 1:
        raise one_only(module, *given)
