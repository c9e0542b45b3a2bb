"""``prop=contributors``."""

from __future__ import annotations

from typing import Any, NamedTuple

from peewee import fn

from wikiapi.accounts import all_rights, explicit_groups, groups_with, not_expired
from wikiapi.api import PropModule, at_most_one_of, compact, continuation, enum, limit
from wikiapi.store import bounds
from wikiapi.store.models import Actor, Revision, UserGroups
from wikiapi.store.queries import visibility

_MAX_PAGES = 100
_ORDER = (Revision.rev_page, Revision.rev_actor)
_COLUMNS = (*_ORDER, Actor.actor_user, Actor.actor_name)
_SELECT_VISIBLE = (
    Revision.select(*_COLUMNS)
    .join(Actor, on=(Actor.actor_id == Revision.rev_actor))
    .where(visibility.not_hidden(Revision.rev_deleted, visibility.USER))
)
_SELECT_ACCOUNTS = (
    _SELECT_VISIBLE.where(Actor.actor_user.is_null(False)).group_by(*_COLUMNS).order_by(*_ORDER)
)
_SELECT_OTHERS = (
    _SELECT_VISIBLE.select(Revision.rev_page, fn.COUNT(Revision.rev_actor.distinct()))
    .where(Actor.actor_user.is_null())
    .group_by(Revision.rev_page)
)
_FILTERS = ("group", "excludegroup", "rights", "excluderights")


class _Contributor(NamedTuple):
    page_id: int
    actor_id: int
    user_id: int
    name: str


class Contributors(PropModule):
    """List the users who have edited a page, and count its contributors without an account."""

    name = "contributors"
    prefix = "pc"
    element = "user"
    params = (
        enum("group", choices=explicit_groups, multi=True,
             help="Only users in these groups; implicit groups do not count."),
        enum("excludegroup", choices=explicit_groups, multi=True,
             help="No users in these groups."),
        enum("rights", choices=all_rights, multi=True,
             help="Only users in groups with these rights; implicit groups do not count."),
        enum("excluderights", choices=all_rights, multi=True,
             help="No users in groups with these rights."),
        limit("How many contributors to return."),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&prop=contributors&titles=Main_Page", "Who has edited the main page"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Contributors",)

    def execute(self) -> None:
        """List the contributors of each page, by the ids of pages and actors."""
        at_most_one_of(self, *_FILTERS)
        parts = self.continue_parts(2)
        start = [self.continue_int(part) for part in parts] if parts else None
        pages = sorted(p for p in self.page_set.good if start is None or p >= start[0])
        later, pages = pages[_MAX_PAGES:], pages[:_MAX_PAGES]
        if not pages or not self._count_others(pages):
            return
        conditions = [Revision.rev_page.in_(pages), *self._group_condition()]
        if start:
            conditions.append(bounds.starting_at(_ORDER, start))
        query = _SELECT_ACCOUNTS.where(*conditions).limit(self.p.number("limit") + 1)
        rows = [_Contributor(*row) for row in self.rows(query)]
        items = ((row.page_id, {"userid": row.user_id, "name": row.name}) for row in rows)
        self.emit(items, rows, lambda row: f"{row.page_id}|{row.actor_id}")
        if later and len(rows) <= self.p.number("limit") and not self.result.truncated:
            self.set_continue(f"{later[0]}|0")

    def _count_others(self, pages: list[int]) -> bool:
        """Add the numbers of contributors without an account; return whether all fit."""
        for page_id, number in self.rows(_SELECT_OTHERS.where(Revision.rev_page.in_(pages))):
            if not self.add_page_value(page_id, "anoncontributors", number):
                self.set_continue(self.p.text_or_none("continue") or "0|0")
                return False
        return True

    def _group_condition(self) -> list[Any]:
        """Return the condition that a user is, or is not, in the requested groups."""
        groups = self.p.texts("group") or self.p.texts("excludegroup")
        rights = self.p.texts("rights") or self.p.texts("excluderights")
        if not (groups or rights):
            return []
        members = UserGroups.select(UserGroups.ug_user).where(
            UserGroups.ug_user == Actor.actor_user,
            UserGroups.ug_group.in_(sorted(groups or groups_with(self.site, rights))),
            not_expired(compact(self.context.now)),
        )
        excludes = self.p.texts("excludegroup") or self.p.texts("excluderights")
        return [~fn.EXISTS(members) if excludes else fn.EXISTS(members)]
