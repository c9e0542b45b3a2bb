"""``list=allusers``."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from peewee import fn

from wikiapi.accounts import IMPLICIT_RIGHTS, all_rights, explicit_groups, groups_with, in_groups
from wikiapi.api import ListModule, Obj, boolean, compact, enum, limit, sort_direction, string
from wikiapi.errors import ApiError
from wikiapi.languages import plain_list
from wikiapi.site import Site
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


def _rights(site: Site) -> tuple[str, ...]:
    return tuple(sorted({*all_rights(site), *IMPLICIT_RIGHTS}))


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
        enum("rights", choices=_rights, multi=True,
             help="Only users in groups with these rights."),
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
        shown = rows[: self.limit]
        ids = [row.user.user_id for row in shown]
        props, attached_wiki = self.p.texts("prop"), self.p.text_or_none("attachedwiki")
        accounts = Accounts.load(self.context, ids, props, attached_wiki)
        if self.p.flag("activeusers"):
            shown = [row for row in shown if row.recent_actions]
        items = (self._item(accounts, row) for row in shown)
        self.emit(items, shown + rows[self.limit :], lambda row: row.user.name)

    def set_continue(self, value: Any, param: str = "from") -> None:
        """Continue the next answer with a name, in the parameter ``from``."""
        super().set_continue(value, param)

    def _item(self, accounts: Accounts, row: _ListedUser) -> Obj:
        user = row.user
        item = Obj({"userid": user.user_id, "name": user.name})
        item |= accounts.central(user) | accounts.block(user) | accounts.basics(user)
        if self.p.flag("activeusers"):
            item["recentactions"] = row.recent_actions
        return Obj(item | accounts.membership(user, implicit_first=True))

    def _rows(self) -> list[_ListedUser]:
        conditions = self._conditions()
        if conditions is None:
            return []
        more = (self._recent_actions(),) if self.p.flag("activeusers") else ()
        all_of_them = self.context.user.can("hideuser")
        query = users.SELECT_ALL_USERS if all_of_them else users.SELECT_USERS
        query = query.select_extend(*more)
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, User.user_name, descending=self._descending)
        width, rows = len(UserRow._fields), self.rows(query.limit(self.p.number("limit") + 1))
        return [_ListedUser(users.read(row), *row[width:]) for row in rows]

    @property
    def _descending(self) -> bool:
        return self.p.text("dir") == "descending"

    def _canonical(self, param: str) -> str | None:
        text = self.p.text_or_none(param)
        return None if text is None else self.site.titles.capitalise(text.replace("_", " "))

    def _conditions(self) -> list[Any] | None:
        """Return the conditions on users; None if no user can match."""
        name = User.user_name
        ends = (self._canonical("from"), self._canonical("to"))
        conditions = bounds.between(name, *ends, descending=self._descending)
        conditions += bounds.with_prefix(name, self._canonical("prefix") or "")
        groups = self._groups()
        if groups is None:
            return None
        conditions += groups
        if self.p.flag("witheditsonly"):
            conditions.append(User.user_editcount > 0)
        # Excluding both kinds would leave no users, so that neither parameter counts then.
        if self.p.flag("excludetemp") and not self.p.flag("excludenamed"):
            conditions.append(User.user_is_temp == 0)
        if self.p.flag("activeusers"):
            conditions.append(_is_cached_as_active())
        return conditions

    def _groups(self) -> list[Any] | None:
        """Return the conditions on membership; None if no group has the requested rights."""
        groups = set(self.p.texts("group"))
        if self.p.texts("rights"):
            found = groups_with(self.site, self.p.texts("rights"))
            if not set(IMPLICIT_RIGHTS).isdisjoint(self.p.texts("rights")):
                found.add("*")
            if not found:
                return None
            groups |= set() if found & _EVERYBODY else found
        if (groups or self.p.is_given("group")) and self.p.is_given("excludegroup"):
            names = plain_list([self.full("group"), self.full("excludegroup")])
            raise ApiError("invalidparammix", "apierror-invalidparammix", names)
        now = compact(self.context.now)
        if groups:
            return [in_groups(self.db, groups, now)]
        excluded = self.p.texts("excludegroup")
        return [~in_groups(self.db, excluded, now)] if excluded else []

    def _recent_actions(self) -> Any:
        """Return a column with the number of recent actions of each user."""
        since = compact(self.context.now - timedelta(days=_ACTIVE_DAYS))
        kind = RecentChanges.rc_log_type
        return (
            RecentChanges.select(fn.COUNT(RecentChanges.rc_id))
            .join(Actor, on=(Actor.actor_id == RecentChanges.rc_actor))
            .where(
                Actor.actor_user == User.user_id,
                RecentChanges.rc_source != "mw.external",
                kind.is_null() | (kind != "newusers"),
                RecentChanges.rc_timestamp >= since,
            )
        )


def _is_cached_as_active() -> Any:
    active = QueryCacheTwo.select(QueryCacheTwo.qcc_title).where(
        QueryCacheTwo.qcc_type == "activeusers",
        QueryCacheTwo.qcc_namespace == USER,
    )
    return User.user_name.in_(active)
