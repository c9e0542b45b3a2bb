"""``list=allusers``."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from peewee import fn

from wikiapi.accounts import IMPLICIT_RIGHTS, all_rights, explicit_groups, groups_with, in_groups
from wikiapi.api import (
    ListModule,
    Obj,
    boolean,
    compact,
    enum,
    invalid_mix,
    limit,
    sort_direction,
    string,
)
from wikiapi.store import UserRow, bounds
from wikiapi.store.models import Actor, QueryCacheTwo, RecentChanges, User
from wikiapi.store.queries import users
from wikiapi.title import USER
from wikiapi_plugins.query.users.accounts import Accounts

_ACTIVE_DAYS = 30
_EVERYBODY = frozenset({"*", "user"})


class _ListedUser(NamedTuple):
    user: UserRow
    recent_actions: int = 0
    """The number of the user's recent actions, if requested."""


class AllUsers(ListModule):
    """List the accounts of the wiki by name."""

    name = "allusers"
    prefix = "au"
    element = "u"
    params = (
        string("from", "The name to begin with."),
        string("to", "The name to end with."),
        string("prefix", "Users whose name begins with this text."),
        sort_direction(),
        enum("group", choices=explicit_groups, multi=True, help="Only users in these groups."),
        enum("excludegroup", choices=explicit_groups, multi=True, help="No users in these groups."),
        enum("rights", choices=lambda site: tuple(sorted({*all_rights(site), *IMPLICIT_RIGHTS})),
             multi=True, help="Only users in groups with these rights."),
        enum("prop", "blockinfo", "groups", "implicitgroups", "rights", "editcount",
             "registration", "centralids", multi=True,
             help="Properties to include besides the name.",
             value_help=(("blockinfo", "The current block, if there is one."),
                         ("groups", "The groups."), ("implicitgroups", "The automatic groups."),
                         ("rights", "The rights."), ("editcount", "The number of edits."),
                         ("registration", "When the account was created."),
                         ("centralids", "Ids on other wikis."))),
        limit(),
        boolean("witheditsonly", "Only users who have made edits."),
        boolean("activeusers", f"Only users active in the last {_ACTIVE_DAYS} days."),
        string("attachedwiki", "With centralids, whether the user has an account there."),
        boolean("excludenamed", "No users with named accounts."),
        boolean("excludetemp", "No users with temporary accounts."),
    )  # fmt: skip
    examples = (("action=query&list=allusers&aufrom=Y", "Users from Y on"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allusers",)

    def execute(self) -> None:
        """List the users."""
        rows = self._rows()
        listed, with_actions = rows[: self.limit], self.p.flag("activeusers")
        accounts = Accounts.load(
            self.context,
            [row.user.user_id for row in listed],
            self.p.texts("prop"),
            self.p.text_or_none("attachedwiki"),
        )
        if with_actions:
            listed = [row for row in listed if row.recent_actions]
        items = []
        for user, recent_actions in listed:
            item = Obj({"userid": user.user_id, "name": user.name})
            item |= accounts.central_ids(user) | accounts.block(user) | accounts.basics(user)
            if with_actions:
                item["recentactions"] = recent_actions
            items.append(Obj(item | accounts.membership(user, implicit_first=True)))
        self.emit(items, listed + rows[self.limit :], lambda row: row.user.name)

    def set_continue(self, value: Any, param: str = "from") -> None:
        """Continue the next answer with a name, in the parameter ``from``."""
        super().set_continue(value, param)

    def _rows(self) -> list[_ListedUser]:
        groups = self._group_conditions()
        if groups is None:
            return []
        descending = self.p.text("dir") == "descending"
        start, end, prefix = (
            self.site.titles.capitalise(self.p.text(name).replace("_", " "))
            if self.p.is_given(name)
            else None
            for name in ("from", "to", "prefix")
        )
        conditions = bounds.between(User.user_name, start, end, descending=descending)
        conditions += bounds.with_prefix(User.user_name, prefix or "")
        conditions += groups
        if self.p.flag("witheditsonly"):
            conditions.append(User.user_editcount > 0)
        # Excluding both kinds would leave no users, so that neither parameter counts then.
        if self.p.flag("excludetemp") and not self.p.flag("excludenamed"):
            conditions.append(User.user_is_temp == 0)
        with_hidden = self.context.user.can("hideuser")
        query = users.SELECT_ALL_USERS if with_hidden else users.SELECT_USERS
        if self.p.flag("activeusers"):
            cache = QueryCacheTwo
            active = cache.select(cache.qcc_title).where(
                cache.qcc_type == "activeusers", cache.qcc_namespace == USER
            )
            conditions.append(User.user_name.in_(active))
            since = compact(self.context.now - timedelta(days=_ACTIVE_DAYS))
            kind = RecentChanges.rc_log_type
            query = query.select_extend(
                RecentChanges.select(fn.COUNT(RecentChanges.rc_id))
                .join(Actor, on=(Actor.actor_id == RecentChanges.rc_actor))
                .where(
                    Actor.actor_user == User.user_id,
                    RecentChanges.rc_source != "mw.external",
                    kind.is_null() | (kind != "newusers"),
                    RecentChanges.rc_timestamp >= since,
                )
            )
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, User.user_name, descending=descending)
        width, rows = len(UserRow._fields), self.rows(query.limit(self.p.number("limit") + 1))
        return [_ListedUser(users.read(row), *row[width:]) for row in rows]

    def _group_conditions(self) -> list[Any] | None:
        """Return the conditions on membership; None if no group has the requested rights."""
        groups, rights = {*self.p.texts("group")}, self.p.texts("rights")
        if rights:
            with_rights = groups_with(self.site, rights)
            if not set(IMPLICIT_RIGHTS).isdisjoint(rights):
                with_rights.add("*")
            if not with_rights:
                return None
            groups |= set() if with_rights & _EVERYBODY else with_rights
        if (groups or self.p.is_given("group")) and self.p.is_given("excludegroup"):
            raise invalid_mix(self, "group", "excludegroup")
        now, excluded = compact(self.context.now), self.p.texts("excludegroup")
        if groups:
            return [in_groups(self.db, groups, now)]
        return [~in_groups(self.db, excluded, now)] if excluded else []
