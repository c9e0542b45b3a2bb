"""``meta=userinfo``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from wikiapi.accounts import (
    IMPLICIT,
    blocks,
    blocks_on,
    changeable_groups,
    default_options,
    preferences,
    rates,
    rights_of,
)
from wikiapi.api import Arr, CacheMode, MetaModule, Obj, block_details, compact, enum, iso, string
from wikiapi.expiry import INFINITY
from wikiapi.store import UserNewTalk, UserRow
from wikiapi.store.models import Actor, Revision, User, Watchlist
from wikiapi.store.queries import revisions, users, visibility

_LANGUAGE = re.compile(
    r"\s*+([a-z]{1,8}+(?:-[a-z0-9]{1,8}+)*+|\*)\s*+"
    r"(?:;\s*+q\s*+=\s*+(1(?:\.0{0,3})?|0(?:\.\d{0,3})?)\s*+)?\Z",
    re.IGNORECASE | re.ASCII,
)
_MAX_LANGUAGES = 50
_MAX_UNREAD = 1000
"""How many unread pages of a watchlist are counted; the count is ``1000+`` if there are as many."""


class UserInfo(MetaModule):
    """Return facts about the user who sends the request."""

    name = "userinfo"
    prefix = "ui"
    examples = (
        ("action=query&meta=userinfo", "The name and id of the current user"),
        ("action=query&meta=userinfo&uiprop=rights|hasmsg", "Their rights, and unread messages"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Userinfo",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``, because data about a user is only for that user."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Add the user's data to the answer."""
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
        """Return the groups to which the user was added; visitors are in none."""
        user, now = self.context.user, compact(self.context.now)
        rows = users.groups(self.db, [user.id]).get(user.id, []) if user.id else []
        items = (
            Obj({"group": row.group, "expiry": iso(row.expiry) if row.expiry else INFINITY})
            for row in rows
            if row.is_in_force(now)
        )
        return {"groupmemberships": Arr(items, "groupmembership")}

    def implicit_groups(self) -> Mapping[str, Any]:
        """Return the groups to which the user belongs automatically."""
        implicit = [group for group in self.context.user.groups if group in IMPLICIT]
        return {"implicitgroups": Arr(implicit, "g")}

    def rights(self) -> Mapping[str, Any]:
        """Return the user's rights, as configured."""
        own = self.context.user.rights
        anonymous = self.site.config.permissions.anonymous_rights
        of_groups = rights_of(self.site, self.context.user.groups)
        configured = dict.fromkeys([*of_groups, *anonymous])
        more = sorted(own.difference(configured))
        return {"rights": Arr([*(right for right in configured if right in own), *more], "r")}

    def changeable_groups(self) -> Mapping[str, Any]:
        """Return the groups that the user may change."""
        groups = changeable_groups(self.site, self.context.user)
        both = {"add": groups, "remove": groups, "add-self": (), "remove-self": ()}
        return {"changeablegroups": Obj((kind, Arr(both[kind], "group")) for kind in both)}

    def options(self) -> Mapping[str, Any]:
        """Return the preferences, with defaults for those that the user has not changed."""
        context, converter = self.context, self.site.parser.content_converter
        options = preferences.options_of(context.user, self.site)
        if converter and context.user.is_anonymous:
            # What visitors read is a matter of the address.
            requested = context.variant or context.request.params.get("uselang", "")
            if variant := converter.find(requested):
                options |= {"language": variant, "variant": variant}
        return {"options": Obj(options, bools=default_options(self.site))}

    def edit_count(self) -> Mapping[str, Any]:
        """Return the number of edits; 0 for visitors."""
        row = self._account()
        return {"editcount": row.edit_count if row else 0}

    def block(self) -> Mapping[str, Any]:
        """Return the data of the block in force against the user, if there is one."""
        on_user = blocks_on(self.context.performer) if self.site.is_writable else []
        return block_details(blocks.composed(self.site, on_user), self.context) if on_user else {}

    def messages(self) -> Mapping[str, Any]:
        """Return whether the user's talk page was changed since the user looked at it."""
        if not self.site.is_writable:
            return {"messages": False}
        user = self.context.user
        own = UserNewTalk.user_id == user.id
        if user.is_anonymous:
            own &= UserNewTalk.user_ip == user.name
        user_id = self.db.scalar(UserNewTalk.select(UserNewTalk.user_id).where(own).limit(1))
        return {"messages": user_id is not None}

    def unread_count(self) -> Mapping[str, Any]:
        """Return the number of watched pages that have changed since the user saw them."""
        if self.context.user.is_anonymous:
            return {"unreadcount": 0}
        unread = Watchlist.select(Watchlist.wl_id).where(
            Watchlist.wl_user == self.context.user.id,
            Watchlist.wl_notificationtimestamp.is_null(False),
        )
        number = len(self.db.execute(unread.limit(_MAX_UNREAD)))
        return {"unreadcount": f"{number}+" if number >= _MAX_UNREAD else number}

    def registration(self) -> Mapping[str, Any]:
        """Return when the account was created; nothing for visitors."""
        row = self._account()
        return {"registrationdate": iso(row.registration)} if row and row.registration else {}

    def can_create_account(self) -> Mapping[str, Any]:
        """Return whether the user may create accounts, which a block can forbid."""
        on_user = blocks_on(self.context.performer) if self.site.is_writable else []
        is_blocked = any(block.create_account for block in on_user)
        can = self.context.user.can("createaccount")
        return {"cancreateaccount": can and not is_blocked}

    def _account(self) -> UserRow | None:
        user = self.context.user
        return users.by_ids(self.db, [user.id], with_hidden=True).get(user.id) if user.id else None

    def rate_limits(self) -> Mapping[str, Any]:
        """Return the rate limits of the user by action."""
        return {"ratelimits": Obj({} if self.context.user.can("noratelimit") else self._limits())}

    def theoretical_rate_limits(self) -> Mapping[str, Any]:
        """Return the rate limits without exemptions."""
        return {"theoreticalratelimits": Obj(self._limits())}

    def _limits(self) -> Mapping[str, Any]:
        config = self.site.config
        if config.site.writable and not config.editing.rate_limits:
            return {}
        return {
            action: Obj(
                (kind, Obj({"hits": limit.hits, "seconds": limit.seconds}))
                for kind, limit in limits.items()
            )
            for action, limits in rates.limits_of(self.context.user).items()
        }

    def real_name(self) -> Mapping[str, Any]:
        """Return the real name, if the user may see private information; visitors have none."""
        if not self.context.user.can("viewmyprivateinfo"):
            return {}
        return {"realname": self._private(User.user_real_name) or ""}

    def email(self) -> Mapping[str, Any]:
        """Return the email address and when it was confirmed; visitors have none."""
        if not self.context.user.can("viewmyprivateinfo"):
            return {}
        data = {"email": self._private(User.user_email) or ""}
        confirmed = self._private(User.user_email_authenticated) if data["email"] else None
        return data | ({"emailauthenticated": iso(confirmed)} if confirmed else {})

    def _private(self, column: Any) -> Any:
        user = self.context.user
        own = User.select(column).where(User.user_id == user.id)
        return self.db.scalar(own) if user.id else None

    def accepted_languages(self) -> Mapping[str, Any]:
        """Return the languages of the header ``Accept-Language``, in order of preference."""
        weights = language_weights(self.context.request.headers.get("accept-language", ""))
        ordered = sorted(weights.items(), key=lambda item: -item[1])
        items = (Obj({"q": q, "code": code}, content="code") for code, q in ordered if q)
        return {"acceptlang": Arr(items, "lang")}

    def central_ids(self) -> Mapping[str, Any]:
        """Return the ids of the user on wikis that share accounts, here only this wiki."""
        own_id = self.context.user.id
        data = {"centralids": Obj({"local": own_id}), "attachedlocal": Obj({"local": own_id > 0})}
        if self.p.is_given("attachedwiki"):
            is_here = self.p.text("attachedwiki") == self.site.config.site.wiki_id
            data["attachedwiki"] = Obj({"local": own_id > 0 and is_here})
        return data

    def latest_contribution(self) -> Mapping[str, Any]:
        """Return the time of the user's last edit, if any; not for visitors."""
        if self.context.user.is_anonymous:
            return {}
        query = revisions.SELECT_REVISIONS.where(
            Actor.actor_name == self.context.user.name,
            visibility.not_hidden(Revision.rev_deleted, visibility.USER),
        )
        rows = self.rows(query.order_by(Revision.rev_timestamp.desc()).limit(1))
        return {"latestcontrib": iso(revisions.read(rows[0]).timestamp)} if rows else {}


_FACTS: Mapping[str, Callable[[UserInfo], Mapping[str, Any]]] = {
    "blockinfo": UserInfo.block,
    "hasmsg": UserInfo.messages,
    "groups": UserInfo.groups,
    "groupmemberships": UserInfo.memberships,
    "implicitgroups": UserInfo.implicit_groups,
    "rights": UserInfo.rights,
    "changeablegroups": UserInfo.changeable_groups,
    "options": UserInfo.options,
    "editcount": UserInfo.edit_count,
    "ratelimits": UserInfo.rate_limits,
    "theoreticalratelimits": UserInfo.theoretical_rate_limits,
    "realname": UserInfo.real_name,
    "email": UserInfo.email,
    "acceptlang": UserInfo.accepted_languages,
    "registrationdate": UserInfo.registration,
    "unreadcount": UserInfo.unread_count,
    "centralids": UserInfo.central_ids,
    "latestcontrib": UserInfo.latest_contribution,
    "cancreateaccount": UserInfo.can_create_account,
}

UserInfo.params = (
    enum("prop", *_FACTS, multi=True, all_value="*", help="Data about the user to include."),
    string("attachedwiki", "With centralids, whether the user has an account there."),
)


def language_weights(header: str) -> dict[str, float]:
    """Return the weight of each language in the text of a header ``Accept-Language``."""
    weights: dict[str, float] = {}
    for part in header.split(",", _MAX_LANGUAGES)[:_MAX_LANGUAGES]:
        if match := _LANGUAGE.match(part):
            weight = float(match[2] or 1)
            weights.setdefault(match[1].lower(), 1 if weight == 1 else weight)
    return weights
