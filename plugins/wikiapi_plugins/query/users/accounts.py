"""The data of accounts in lists of users, by values of ``prop``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wikiapi.accounts import implicit_groups, rights_of
from wikiapi.api import Arr, Obj, RequestContext, block_details, compact, iso
from wikiapi.expiry import INFINITY
from wikiapi.site import Site
from wikiapi.store import BlockRow, UserRow
from wikiapi.store.queries import GroupRow, users

_OF_GROUPS = frozenset({"groups", "groupmemberships", "implicitgroups", "rights"})


@dataclass(slots=True)
class Accounts:
    """The data of the accounts of one answer."""

    context: RequestContext
    prop: frozenset[str]
    now: str
    attached_wiki: str | None
    groups: Mapping[int, list[GroupRow]] = field(default_factory=dict)
    blocks: Mapping[int, list[BlockRow]] = field(default_factory=dict)

    @property
    def site(self) -> Site:
        """The wiki of the accounts."""
        return self.context.site

    @classmethod
    def load(
        cls,
        context: RequestContext,
        ids: Iterable[int],
        prop: Iterable[str],
        attached_wiki: str | None,
    ) -> Accounts:
        """Read the requested data. At most two queries."""
        props, ids, now = frozenset(prop), list(ids), compact(context.now)
        accounts = cls(context, props, now, attached_wiki)
        if not props.isdisjoint(_OF_GROUPS):
            accounts.groups = users.groups(context.site.db, ids)
        if "blockinfo" in props:
            accounts.blocks = users.blocks(context.site.db, ids)
        return accounts

    def central_ids(self, user: UserRow) -> dict[str, Any]:
        """Return the ids of the account on wikis that share accounts, here only this wiki."""
        if "centralids" not in self.prop:
            return {}
        data: dict[str, Any] = {
            "centralids": Obj({"local": user.user_id}),
            "attachedlocal": Obj({"local": True}),
        }
        if self.attached_wiki:
            is_here = self.attached_wiki == self.site.config.site.wiki_id
            data["attachedwiki"] = Obj({"local": is_here})
        return data

    def block(self, user: UserRow) -> dict[str, Any]:
        """Return the data of the block in force, if there is one."""
        for block in self.blocks.get(user.user_id, ()):
            if block.expiry > self.now or not block.expiry[:1].isdigit():
                return block_details(block, self.context)
        return {}

    def basics(self, user: UserRow) -> dict[str, Any]:
        """Return edit count and registration, and whether the name is hidden from others."""
        data: dict[str, Any] = {"hidden": True} if user.is_hidden else {}
        if "editcount" in self.prop:
            data["editcount"] = user.edit_count
        if "registration" in self.prop:
            data["registration"] = iso(user.registration) if user.registration else ""
        return data

    def membership(self, user: UserRow, *, implicit_first: bool) -> dict[str, Any]:
        """Return groups and rights."""
        if self.prop.isdisjoint(_OF_GROUPS):
            return {}
        rows = [row for row in self.groups.get(user.user_id, ()) if row.is_in_force(self.now)]
        explicit, implicit = [row.group for row in rows], implicit_groups(self.site, user, self.now)
        groups = implicit + explicit if implicit_first else explicit + implicit
        data: dict[str, Any] = {
            "groups": Arr(groups, "g"),
            "groupmemberships": Arr(
                (
                    Obj({"group": r.group, "expiry": iso(r.expiry) if r.expiry else INFINITY})
                    for r in rows
                ),
                "groupmembership",
            ),
            "implicitgroups": Arr(implicit, "g"),
            "rights": Arr(rights_of(self.site, groups), "r"),
        }
        return {name: value for name, value in data.items() if name in self.prop}
