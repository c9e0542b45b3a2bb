"""``Special:ListUsers``: the accounts of the wiki and their groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wikiapi.api import compact
from wikiapi.http import Reply
from wikiapi.store import UserRow
from wikiapi.store.models import User
from wikiapi.store.queries import users
from wikiapi.store.sql import bounds
from wikiapi.title import Title
from wikiapi.title.codec import capitalise
from wikiapi_plugins.query.users.usergroups import explicit_groups, in_groups
from wikiapi_plugins.web.reader.context import ViewContext

_PER_PAGE = 100


class Account(NamedTuple):
    """An account in the list, and the names of its groups."""

    row: UserRow
    groups: list[str]


def show_users(context: ViewContext, title: Title) -> Reply:
    """Show the accounts from the name in ``from`` on. Two queries.

    ``prefix`` limits them to names that begin with it; ``group`` or the subpage, to a group.
    """
    now = compact(context.site.clock())
    known = explicit_groups(context.site)
    group = context.param("group") or title.dbkey.partition("/")[2]
    group = group if group in known else ""
    prefix, start = _name(context, "prefix"), _name(context, "from")
    conditions = [*_conditions(prefix, start)]
    if group:
        conditions.append(in_groups(context.db, [group], now))
    query = users.SELECT_USERS.where(*conditions) if conditions else users.SELECT_USERS
    rows = context.db.execute(query.order_by(User.user_name).limit(_PER_PAGE + 1))
    found = [users.read(row) for row in rows]
    groups = users.groups(context.db, [row.user_id for row in found[:_PER_PAGE]])
    listed = [
        Account(row, [one.group for one in groups.get(row.user_id, ()) if one.is_in_force(now)])
        for row in found[:_PER_PAGE]
    ]
    kept = {"group": group, "prefix": prefix}
    kept = {name: value for name, value in kept.items() if value}
    following = {**kept, "from": found[_PER_PAGE].name} if found[_PER_PAGE:] else None
    return context.render(
        "listusers.html",
        context.text("special-listusers"),
        people=[account.row.name for account in listed],
        known=known,
        group=group,
        prefix=prefix,
        listed=listed,
        first=context.special("ListUsers", **kept) if start else "",
        following=context.special("ListUsers", **following) if following else "",
    )


def _name(context: ViewContext, param: str) -> str:
    return capitalise(context.param(param).replace("_", " ").strip())


def _conditions(prefix: str, start: str) -> Iterator[Any]:
    yield from bounds.with_prefix(User.user_name, prefix)
    if start:
        yield User.user_name >= start
