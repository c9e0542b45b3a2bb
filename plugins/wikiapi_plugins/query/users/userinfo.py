"""``meta=userinfo``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from wikiapi.api import Arr, CacheMode, MetaModule, Obj, enum, iso, string
from wikiapi.store.models import Actor, Revision
from wikiapi.store.queries import revisions
from wikiapi.store.queries.visibility import USER, shown
from wikiapi_plugins.facts import facts

_LANGUAGE = re.compile(
    r"\s*+([a-z]{1,8}+(?:-[a-z0-9]{1,8}+)*+|\*)\s*+"
    r"(?:;\s*+q\s*+=\s*+(1(?:\.0{0,3})?|0(?:\.\d{0,3})?)\s*+)?\Z",
    re.IGNORECASE | re.ASCII,
)
_MOST_LANGUAGES = 50


class UserInfo(MetaModule):
    """Get information about the current user."""

    name = "userinfo"
    prefix = "ui"
    examples = (
        ("action=query&meta=userinfo", "Who asks"),
        ("action=query&meta=userinfo&uiprop=rights|hasmsg", "And what they may do"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Userinfo",)

    def cache_mode(self) -> CacheMode:
        """Data about a user is for that user alone."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Put the user's data into the answer."""
        user = self.context.user
        data = Obj({"id": user.id, "name": user.name})
        if user.is_anonymous:
            data["anon"] = True
        for name, facts_of in _FACTS.items():
            if name in self.p.texts("prop"):
                data |= facts_of(self)
        self.result.set(("query",), self.name, data)

    def groups(self) -> Mapping[str, Any]:
        """Return the groups the user is in."""
        return {"groups": Arr(self.context.user.groups, "g")}

    def memberships(self) -> Mapping[str, Any]:
        """Groups that somebody put the user into; visitors are in none."""
        return {"groupmemberships": Arr((), "groupmembership")}

    def implicit_groups(self) -> Mapping[str, Any]:
        """Groups that a user is in that no user has put them into."""
        implicit = [group for group in self.context.user.groups if group in ("*", "user")]
        return {"implicitgroups": Arr(implicit, "g")}

    def rights(self) -> Mapping[str, Any]:
        """What the user may do, as configured."""
        configured = self.site.config.permissions.anonymous_rights
        own = self.context.user.rights
        more = sorted(own.difference(configured))
        return {"rights": Arr([*(right for right in configured if right in own), *more], "r")}

    def changeable_groups(self) -> Mapping[str, Any]:
        """Groups that the user may put others into: none where nothing is written."""
        kinds = ("add", "remove", "add-self", "remove-self")
        return {"changeablegroups": Obj((kind, Arr((), "group")) for kind in kinds)}

    def options(self) -> Mapping[str, Any]:
        """Return the preferences, all of them as they are by default."""
        defaults = facts("useroptions")
        return {"options": Obj(defaults, bools=defaults)}

    def edit_count(self) -> Mapping[str, Any]:
        """Edits are counted for accounts only."""
        return {"editcount": 0}

    def rate_limits(self) -> Mapping[str, Any]:
        """How often the user may do what."""
        return {"ratelimits": self._rate_limits()}

    def theoretical_rate_limits(self) -> Mapping[str, Any]:
        """The same for who is under no limit."""
        return {"theoreticalratelimits": Obj(facts("ratelimits"))}

    def _rate_limits(self) -> Obj:
        return Obj({} if self.context.user.can("noratelimit") else facts("ratelimits"))

    def private(self, name: str) -> Mapping[str, Any]:
        """An empty value for users who may see private information, which visitors may not."""
        return {name: ""} if self.context.user.can("viewmyprivateinfo") else {}

    def accepted_languages(self) -> Mapping[str, Any]:
        """Return the languages of the header ``Accept-Language``, the preferred first."""
        found = _languages(self.context.request.headers.get("accept-language", ""))
        ordered = sorted(found.items(), key=lambda item: -item[1])
        items = (Obj({"q": q, "code": code}, content="code") for code, q in ordered if q)
        return {"acceptlang": Arr(items, "lang")}

    def central_ids(self) -> Mapping[str, Any]:
        """Return the ids the user has elsewhere; there is no elsewhere."""
        data = {"centralids": Obj({"local": 0}), "attachedlocal": Obj({"local": False})}
        if self.p.is_given("attachedwiki"):
            data["attachedwiki"] = Obj({"local": False})
        return data

    def latest_contribution(self) -> Mapping[str, Any]:
        """When the user edited last, if ever; visitors are not counted."""
        if self.context.user.is_anonymous:
            return {}
        query = revisions.SELECT_REVISIONS.where(
            Actor.actor_name == self.context.user.name, shown(Revision.rev_deleted, USER)
        )
        rows = self.rows(query.order_by(Revision.rev_timestamp.desc()).limit(1))
        return {"latestcontrib": iso(revisions.read(rows[0]).timestamp)} if rows else {}


def _languages(header: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in header.split(",", _MOST_LANGUAGES)[:_MOST_LANGUAGES]:
        if match := _LANGUAGE.match(part):
            weight = float(match[2] or 1)
            found.setdefault(match[1].lower(), 1 if weight == 1 else weight)
    return found


_FACTS: Mapping[str, Callable[[UserInfo], Mapping[str, Any]]] = {
    "blockinfo": lambda _: {},
    "hasmsg": lambda _: {"messages": False},
    "groups": UserInfo.groups,
    "groupmemberships": UserInfo.memberships,
    "implicitgroups": UserInfo.implicit_groups,
    "rights": UserInfo.rights,
    "changeablegroups": UserInfo.changeable_groups,
    "options": UserInfo.options,
    "editcount": UserInfo.edit_count,
    "ratelimits": UserInfo.rate_limits,
    "theoreticalratelimits": UserInfo.theoretical_rate_limits,
    "realname": lambda module: module.private("realname"),
    "email": lambda module: module.private("email"),
    "acceptlang": UserInfo.accepted_languages,
    "registrationdate": lambda _: {},
    "unreadcount": lambda _: {"unreadcount": 0},
    "centralids": UserInfo.central_ids,
    "latestcontrib": UserInfo.latest_contribution,
    "cancreateaccount": lambda module: {
        "cancreateaccount": module.context.user.can("createaccount")
    },
}

UserInfo.params = (
    enum("prop", *_FACTS, multi=True, all_value="*", help="Data about the user to include."),
    string("attachedwiki", "With centralids, whether the user has an account there."),
)
