"""Whose contributions ``list=usercontribs`` lists, and in which order.

Several users are listed one after the other, by the ids of their actors, or by name where they are
found by the beginning of a name or by a range of addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.api.query.continuation import bad_continue
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Plain, plain_list
from wikiapi.store import bounds
from wikiapi.store.models import Actor, IpChanges, Revision
from wikiapi.title.addresses import spell_address
from wikiapi.title.codec import capitalise
from wikiapi_plugins.families.addressrange import read_range
from wikiapi_plugins.families.moments import moment_part
from wikiapi_plugins.families.usernames import canonical_name

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule

_WAYS = ("userprefix", "userids", "iprange", "user")
_TIME = (Revision.rev_timestamp, Revision.rev_id)
_BY_ACTOR, _BY_NAME = "actor", "name"


@dataclass(frozen=True, slots=True)
class Contributors:
    """The users: a condition on ``Actor``, and the order of several of them.

    ``order`` is ``actor``, ``name``, or empty for a single user.
    """

    condition: Any
    order: str = ""

    @property
    def columns(self) -> tuple[Any, ...]:
        """The columns that the contributions are sorted by."""
        if not self.order:
            return _TIME
        first = Actor.actor_name if self.order == _BY_NAME else Revision.rev_actor
        return (first, *_TIME)

    def starting_at(self, module: QueryModule, *, descending: bool) -> list[Any]:
        """The condition that the continuation value stands for.

        Raises:
            ApiError: ``badcontinue``.
        """
        parts = module.continue_parts(4 if self.order else 2)
        if parts is None:
            return []
        moment = [moment_part(parts[-2]), module.continue_int(parts[-1])]
        if not self.order:
            return [bounds.starting_at(_TIME, moment, descending=descending)]
        if parts[0] != self.order and not (self.order == _BY_ACTOR and parts[0] == "id"):
            raise bad_continue()
        first = parts[1] if self.order == _BY_NAME else module.continue_int(parts[1])
        return [bounds.starting_at(self.columns, [first, *moment], descending=descending)]

    def position(self, actor_id: int, name: str | None, timestamp: str, revision_id: int) -> str:
        """The continuation value that begins with a contribution."""
        moment = f"{timestamp}|{revision_id}"
        if not self.order:
            return moment
        return f"{self.order}|{name if self.order == _BY_NAME else actor_id}|{moment}"


def read_contributors(module: QueryModule) -> Contributors:
    """The users that a module's parameters name, in one of four ways.

    Raises:
        ApiError: ``invalidparammix``, ``missingparam``, and what is wrong with a name, id or range.
    """
    given = [way for way in _WAYS if module.p[way] is not None]
    if len(given) > 1:
        names = plain_list(module.full(way) for way in given)
        raise ApiError(Message("apierror-invalidparammix", (names,)), "invalidparammix")
    if not given:
        names = plain_list(module.full(way) for way in _WAYS)
        raise ApiError(Message("apierror-missingparam-one-of", (names, len(_WAYS))), "missingparam")
    return _READERS[given[0]](module)


def _by_prefix(module: QueryModule) -> Contributors:
    prefix = capitalise(module.p["userprefix"].replace("_", " "))
    conditions = bounds.with_prefix(Actor.actor_name, prefix) or [Actor.actor_name >= ""]
    found = conditions[0]
    for condition in conditions[1:]:
        found &= condition
    return Contributors(found, _BY_NAME)


def _by_ids(module: QueryModule) -> Contributors:
    ids = module.p["userids"]
    _refuse_empty(module, "userids", ids)
    for number in ids:
        if number <= 0:
            raise ApiError(Message("apierror-invaliduserid", (number,)), "invaliduserid")
    return Contributors(Actor.actor_user.in_(ids), _BY_ACTOR if len(ids) > 1 else "")


def _by_range(module: QueryModule) -> Contributors:
    text = module.p["iprange"]
    found = read_range(text) if "/" in text else None
    if found is None:
        raise ApiError(Message("apierror-invalidiprange"), "invalidiprange")
    if found.is_too_wide_to_list:
        message = Message("apierror-cidrtoobroad", (found.version, found.least_bits_to_list))
        raise ApiError(message, "cidrtoobroad")
    edits = IpChanges.select(IpChanges.ipc_rev_id).where(
        (IpChanges.ipc_hex >= found.first) & (IpChanges.ipc_hex <= found.last)
    )
    return Contributors(Revision.rev_id.in_(edits), _BY_NAME)


def _by_names(module: QueryModule) -> Contributors:
    texts = module.p["user"]
    _refuse_empty(module, "user", texts)
    names = list(dict.fromkeys(_name(module, text) for text in texts))
    return Contributors(Actor.actor_name.in_(names), _BY_ACTOR if len(names) > 1 else "")


def _name(module: QueryModule, text: str) -> str:
    name = spell_address(text) or (text if ">" in text else canonical_name(module.site, text))
    if not name:
        full = module.full("user")
        message = Message("apierror-baduser", (Plain(full), Plain(text)))
        raise ApiError(message, f"baduser_{full}")
    return name


def _refuse_empty(module: QueryModule, name: str, values: Any) -> None:
    if not values or "" in values:
        full = module.full(name)
        raise ApiError(Message("apierror-paramempty", (Plain(full),)), f"paramempty_{full}")


_READERS = {
    "userprefix": _by_prefix,
    "userids": _by_ids,
    "iprange": _by_range,
    "user": _by_names,
}
