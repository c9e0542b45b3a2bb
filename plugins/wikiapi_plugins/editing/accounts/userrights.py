"""``action=userrights``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wikiapi.accounts import blocking, changeable_groups, default_rights
from wikiapi.api import (
    REASON,
    TAGS,
    USER_ID,
    WATCH_USER,
    Arr,
    Obj,
    WriteAction,
    compact,
    enum,
    one_of,
    refuse_blocked,
    string,
    user,
    watch_period,
)
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY, future_expiry
from wikiapi.languages import Num
from wikiapi.pages import Changelog, Watcher
from wikiapi.site import Site
from wikiapi.store.models import UserFormerGroups, UserGroups
from wikiapi.store.queries import users
from wikiapi.title import USER
from wikiapi_plugins.editing.blocking.targets import find_target, missing_target

Memberships = Mapping[str, str | None]
"""The end of the membership in each group, as 14 digits; ``None`` if it does not end."""


_IMPLICIT = frozenset({"*", "user", "autoconfirmed", "temp"})


def _groups(_: Site) -> tuple[str, ...]:
    """Return the groups to which users can be added."""
    return tuple(name for name in default_rights() if name not in _IMPLICIT)


class UserRights(WriteAction):
    """Change the groups of a user."""

    name = "userrights"
    position = 41
    params = (
        user("user", "The user.", kinds=("name", "id")),
        USER_ID,
        enum("add", choices=_groups, multi=True, help="Groups to add the user to."),
        string(
            "expiry",
            "When each membership ends.",
            default="infinite",
            multi=True,
            allow_duplicates=True,
        ),
        enum("remove", choices=_groups, multi=True, help="Groups to remove the user from."),
        REASON,
        string("token", "A token of the type ``userrights``.", required=True, sensitive=True),
        TAGS,
        *WATCH_USER,
    )
    needs_token = "userrights"
    examples = (
        (
            "action=userrights&user=FooBot&add=bot&remove=sysop|bureaucrat&token=123ABC",
            "Add a user to a group and remove it from two others",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:User_group_membership",)

    def explain_bad_token(self) -> None:
        """Raise ``nosuchuser`` rather than ``badtoken``: a token of the form is of one account."""
        self._target()

    def _target(self) -> blocking.Target:
        which = one_of(self, "user", "userid")
        text = self.p.text("user") if which == "user" else f"#{self.p.number('userid')}"
        if "@" in text:
            raise ApiError("nointerwikiuserrights", "userrights-no-interwiki")
        is_id = text.startswith("#")
        missing = ApiError("invaliduser", "noname") if is_id else missing_target(text)
        target = find_target(self.site, text, missing)
        if target.is_hidden and not self.context.user.can("hideuser"):
            raise missing
        return target

    def perform(self) -> None:
        """Make the changes that the user is allowed to make, and log them.

        Raises:
            ApiError: ``nosuchuser``, ``invaliduser``, ``toofewexpiries``, ``invalidexpiry`` or
                ``pastexpiry``.
        """
        if not self.context.user.can("userrights"):
            refuse_blocked(self.context, self.name)
        expiries = self._expiries_to_set()
        target = self._target()
        old = {
            row.group: row.expiry
            for row in users.groups(self.db, [target.user_id]).get(target.user_id, [])
            if row.is_in_force(compact(self.context.now))
        }
        removed, added = self._changes(old, expiries)
        new = {group: expiry for group, expiry in old.items() if group not in removed} | added
        if new != old:
            self._store(target.user_id, removed, added)
            Changelog(self.context.performer).add_entry(
                "rights",
                "rights",
                target.page(self.site),
                reason=self.p.text("reason"),
                params={
                    "4::oldgroups": list(old),
                    "5::newgroups": list(new),
                    "oldmetadata": [{"expiry": expiry} for expiry in old.values()],
                    "newmetadata": [{"expiry": expiry} for expiry in new.values()],
                },
                tags=self.p.texts("tags"),
            )
        is_watched = self.p.flag("watchuser")
        if is_watched:
            page = self.site.titles.make(USER, target.name.replace(" ", "_"))
            Watcher(self.context.performer).watch([page], watch_period(self))
        data = {"user": target.name, "userid": target.user_id, "watchuser": is_watched}
        lists = {"removed": Arr(removed, "group"), "added": Arr(added, "group")}
        self.result.set((), self.name, Obj(data | lists))

    def _changes(
        self, old: Mapping[str, str | None], expiries: Mapping[str, str | None]
    ) -> tuple[list[str], dict[str, str | None]]:
        """Return the groups to remove, and those to add with the ends of their memberships.

        ``old`` has the present groups, and ``expiries`` those to add. Groups that the user may not
        change are left out. A group that is both removed and added is a member anew.
        """
        may_change = changeable_groups(self.site, self.context.user)
        removed = [
            group for group in self.p.texts("remove") if group in may_change and group in old
        ]
        added = {
            group: expiry
            for group, expiry in expiries.items()
            if group in may_change and (group in removed or old.get(group, "") != expiry)
        }
        return removed, added

    def _store(self, user_id: int, removed: Sequence[str], added: Mapping[str, str | None]) -> None:
        gone = UserGroups.delete().where(
            UserGroups.ug_user == user_id, UserGroups.ug_group.in_([*removed, *added])
        )
        self.db.execute_write(gone)
        rows = [(user_id, group, expiry) for group, expiry in added.items()]
        self.db.insert_many(UserGroups, rows)
        former = [(user_id, group) for group in removed]
        self.db.insert_many(UserFormerGroups, former, on_conflict="ignore")

    def _expiries_to_set(self) -> dict[str, str | None]:
        """Return the groups to add, with the end of each membership.

        Raises:
            ApiError: ``toofewexpiries``, unless there is one expiry for all groups or one for
                each; ``invalidexpiry`` or ``pastexpiry``.
        """
        groups, expiries = self.p.texts("add"), self.p.texts("expiry")
        if not groups:
            return {}
        if len(expiries) != len(groups):
            if len(expiries) != 1:
                params = (Num(len(expiries)), Num(len(groups)))
                raise ApiError("toofewexpiries", "apierror-toofewexpiries", *params)
            expiries *= len(groups)
        ends = [future_expiry(text, self.context.now) for text in expiries]
        return {
            group: None if end == INFINITY else end for group, end in zip(groups, ends, strict=True)
        }
