"""Whose edits ``list=usercontribs`` lists, in which order, and how the list is continued.

Edits of one user come by time. Those of several come user by user; a position then names the user
as well, by what the users are ordered by: their names, their ids or the ids of their actors.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from wikiapi.api.query.continuation import bad_continue
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Plain, plain_list
from wikiapi.store import bounds
from wikiapi.store.models import Actor, IpChanges, Revision
from wikiapi_plugins.families.moments import moment_part
from wikiapi_plugins.families.timeline import is_descending

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.store.statements import Row

NAMERS = ("userprefix", "userids", "iprange", "user")
"""The parameters that say whose edits are listed; one of them must be given."""
_WIDEST_RANGE = {4: 16, 6: 32}
_OF_TIME = (Revision.rev_timestamp, Revision.rev_id)
_COLUMNS = {"name": Actor.actor_name, "id": Actor.actor_user, "actor": Revision.rev_actor}
_USER_TIME_ID = 4


@dataclass(frozen=True, slots=True)
class Contributors:
    """Some users: a condition on their actors, and what they are ordered by if several.

    ``by_address`` says that the condition is one on the table ``ip_changes``.
    """

    who: Any
    order: str = ""
    by_address: bool = False
    columns: tuple[Any, ...] = field(default=_OF_TIME)

    @property
    def condition(self) -> Any:
        """The condition on the joined tables, in the form that serves the order best."""
        if self.order != "actor":
            return self.who
        return Revision.rev_actor.in_(Actor.select(Actor.actor_id).where(self.who))

    @property
    def keys(self) -> tuple[Any, ...]:
        """The columns that the edits are ordered by."""
        return (_COLUMNS[self.order], *self.columns) if self.order else self.columns

    @property
    def more(self) -> tuple[Any, ...]:
        """What has to be selected last, beside the edits, to tell where to go on."""
        return (Revision.rev_actor,) if self.order == "actor" else ()

    def position(self, edit: RevisionRow, row: Row) -> str:
        """Where to go on: with an edit, read from a row."""
        moment = f"{edit.timestamp}|{edit.rev_id}"
        if not self.order:
            return moment
        names = {"actor": row[-1], "id": edit.user_id, "name": edit.user_name}
        return f"{self.order}|{names[self.order]}|{moment}"

    def going_on(self, module: QueryModule) -> list[Any]:
        """The condition that a position stands for.

        Raises:
            ApiError: ``badcontinue``.
        """
        parts = module.continue_parts(_USER_TIME_ID if self.order else _USER_TIME_ID - 2)
        if parts is None:
            return []
        who: list[Any] = []
        if self.order:
            order, user, *parts = parts
            if order != self.order:
                raise bad_continue()
            who = [user if order == "name" else module.continue_int(user)]
        values = [*who, moment_part(parts[0]), module.continue_int(parts[1])]
        return [bounds.starting_at(self.keys, values, descending=is_descending(module))]


def named_by(module: QueryModule) -> Contributors:
    """The users that a request names.

    Raises:
        ApiError: none or several of the parameters are given, or one of them cannot be used.
    """
    given = [name for name in NAMERS if module.p[name] is not None]
    if len(given) != 1:
        raise _not_one(module, given)
    return {
        "userprefix": _by_prefix,
        "userids": _by_ids,
        "iprange": _by_range,
        "user": _by_names,
    }[given[0]](module)


def _not_one(module: QueryModule, given: list[str]) -> ApiError:
    names = plain_list(map(module.full, given or NAMERS))
    if given:
        return ApiError(Message("apierror-invalidparammix", (names,)), "invalidparammix")
    return ApiError(Message("apierror-missingparam-one-of", (names,)), "missingparam")


def _by_prefix(module: QueryModule) -> Contributors:
    prefix = module.p["userprefix"]
    # Also everybody is found by the index of names, which their order is that of.
    conditions = bounds.with_prefix(Actor.actor_name, prefix) or [Actor.actor_name >= prefix]
    return Contributors(reduce(and_, conditions), "name")


def _by_ids(module: QueryModule) -> Contributors:
    ids = sorted(set(module.p["userids"]))
    if not ids:
        raise _empty(module, "userids")
    if ids[0] <= 0:
        raise ApiError(Message("apierror-invaliduserid", (Plain(str(ids[0])),)), "invaliduserid")
    return Contributors(Actor.actor_user.in_(ids), "id" if len(ids) > 1 else "")


def _by_names(module: QueryModule) -> Contributors:
    names = sorted(set(module.p["user"]))
    if not names:
        raise _empty(module, "user")
    return Contributors(Actor.actor_name.in_(names), "actor" if len(names) > 1 else "")


def _by_range(module: QueryModule) -> Contributors:
    name, text = module.full("iprange"), module.p["iprange"]
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        message = Message("apierror-invalidiprange", (Plain(name),))
        raise ApiError(message, "invalidiprange") from error
    widest = _WIDEST_RANGE[network.version]
    if network.prefixlen < widest:
        message = Message("apierror-cidrtoobroad", (f"IPv{network.version}", widest))
        raise ApiError(message, "cidrtoobroad")
    ends = (_hexadecimal(network[0]), _hexadecimal(network[-1]))
    return Contributors(IpChanges.ipc_hex.between(*ends), by_address=True)


def _hexadecimal(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    return f"{int(address):08X}" if address.version == 4 else f"v6-{int(address):032X}"


def _empty(module: QueryModule, name: str) -> ApiError:
    full = module.full(name)
    return ApiError(Message("apierror-paramempty", (Plain(full),)), f"paramempty_{full}")
