"""``action=userrights``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wikiapi.api import Arr, Obj, compact
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Num
from wikiapi.store.expiry import INFINITY
from wikiapi.store.models import UserFormerGroups, UserGroups
from wikiapi.store.queries import users
from wikiapi.title import USER
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.blocking.enforcing import refuse_blocked
from wikiapi_plugins.editing.blocking.targets import Target, find_target, missing_target
from wikiapi_plugins.editing.expiry import future_expiry
from wikiapi_plugins.editing.parameters import one_of, watch_period
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.tagging import check_tags
from wikiapi_plugins.editing.watchlists.watching import Watcher
from wikiapi_plugins.query.users.usergroups import changeable_groups

Memberships = Mapping[str, str | None]
"""The end of the membership in each group, as 14 digits; ``None`` if it does not end."""


class UserRights(WriteAction):
    """Puts a user into groups and takes the user out of groups."""

    def perform(self) -> None:
        """Make the changes that the user is allowed to make, and log them.

        Raises:
            ApiError: ``nosuchuser``, ``toofewexpiries``, ``invalidexpiry`` or ``pastexpiry``.
        """
        refuse_blocked(self.context, self.name)
        target = self._target()
        check_tags(self.db, self.p.texts("tags"))
        wanted = self._wanted()
        may_change = changeable_groups(self.site, self.context.user)
        old = {
            row.group: row.expiry
            for row in users.groups(self.db, [target.user_id]).get(target.user_id, [])
            if row.is_in_force(compact(self.context.now))
        }
        removed = [
            group for group in self.p.texts("remove") if group in may_change and group in old
        ]
        added = {
            group: expiry
            for group, expiry in wanted.items()
            if group in may_change and group not in removed and old.get(group, "") != expiry
        }
        new = {group: expiry for group, expiry in old.items() if group not in removed} | added
        if new != old:
            self._store(target, removed, added)
            self._log(target, old, new)
        if self.p.flag("watchuser"):
            page = self.site.titles.make(USER, target.name.replace(" ", "_"))
            Watcher(self.context).watch([page], watch_period(self))
        data = {"user": target.name, "userid": target.user_id}
        lists = {"removed": Arr(removed, "group"), "added": Arr(added, "group")}
        self.result.set((), self.name, Obj(data | lists))

    def _target(self) -> Target:
        which = one_of(self, "user", "userid")
        text = self.p.text("user") if which == "user" else f"#{self.p.number('userid')}"
        target = find_target(self.site, text)
        if target.is_hidden and not self.context.user.can("hideuser"):
            raise missing_target(text)
        return target

    def _wanted(self) -> dict[str, str | None]:
        """Return the groups to add, with the end of each membership.

        Raises:
            ApiError: ``toofewexpiries``, unless there is one expiry for all groups or one for
                each; ``invalidexpiry`` or ``pastexpiry``.
        """
        groups, given = self.p.texts("add"), self.p.texts("expiry")
        if len(given) != len(groups):
            if len(given) != 1:
                params = (Num(len(given)), Num(len(groups)))
                raise ApiError(Message("apierror-toofewexpiries", params), "toofewexpiries")
            given *= len(groups)
        ends = [future_expiry(text, self.context.now) for text in given]
        return {
            group: None if end == INFINITY else end for group, end in zip(groups, ends, strict=True)
        }

    def _store(self, target: Target, removed: Sequence[str], added: Memberships) -> None:
        gone = UserGroups.delete().where(
            UserGroups.ug_user == target.user_id, UserGroups.ug_group.in_([*removed, *added])
        )
        self.db.execute_write(gone)
        rows = [(target.user_id, group, expiry) for group, expiry in added.items()]
        self.db.insert_many(UserGroups, rows)
        former = [(target.user_id, group) for group in removed]
        self.db.insert_many(UserFormerGroups, former, on_conflict="ignore")

    def _log(self, target: Target, old: Memberships, new: Memberships) -> None:
        Changelog(self.context).add_entry(
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
