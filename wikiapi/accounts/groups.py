"""The groups of users and their rights, for modules that list them or filter by them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from peewee import fn

from wikiapi.accounts.user import User
from wikiapi.site import Site
from wikiapi.store import Database, UserRow
from wikiapi.store.models import User as Account
from wikiapi.store.models import UserGroups
from wikiapi.store.queries.rarity import is_rare
from wikiapi.timestamps import compact, moment_of

IMPLICIT = ("*", "user", "autoconfirmed")
"""Groups to which users belong automatically."""
_OF_NO_GROUP = (
    "autocreateaccount",
    "delete-redirect",
    "interwiki",
    "override-export-depth",
    "pagelang",
    "patrolmarks",
    "renameuser-global",
    "reupload-own",
    "siteadmin",
    "upload_by_url",
    "userrights-interwiki",
)
"""Rights that MediaWiki gives to no group by default."""

IMPLICIT_RIGHTS = (
    "changeemail",
    "confirmemail",
    "linkpurge",
    "mailpassword",
    "purge",
    "renderfile",
    "renderfile-nonstandard",
    "stashbasehtml",
    "stashedit",
)
"""Rights that every user has regardless of groups."""


@cache
def default_rights() -> Mapping[str, Sequence[str]]:
    """Return the rights that MediaWiki gives to groups, by group; not to be changed."""
    rights: Mapping[str, Sequence[str]] = json.loads(
        files(__package__).joinpath("usergroups.json").read_bytes()
    )
    return rights


def group_rights(site: Site) -> Mapping[str, Sequence[str]]:
    """Return the rights of each group: MediaWiki's defaults and those that the site configures."""
    permissions = site.config.permissions
    own = {"*": permissions.anonymous_rights}
    return {**default_rights(), **own, **permissions.groups}


def explicit_groups(site: Site) -> tuple[str, ...]:
    """Return the groups to which users have to be added, sorted by name."""
    return tuple(sorted(group for group in group_rights(site) if group not in IMPLICIT))


def changeable_groups(site: Site, user: User) -> tuple[str, ...]:
    """Return the groups whose members a user may change."""
    if not user.can("userrights"):
        return ()
    return tuple(group for group in group_rights(site) if group not in (*IMPLICIT, "temp"))


def all_rights(site: Site) -> tuple[str, ...]:
    """Return all rights, sorted by name."""
    of_groups = {right for rights in group_rights(site).values() for right in rights}
    return tuple(sorted({*of_groups, *_OF_NO_GROUP}))


def groups_with(site: Site, rights: Iterable[str]) -> set[str]:
    """Return the groups that have at least one of the rights."""
    required = frozenset(rights)
    return {group for group, held in group_rights(site).items() if not required.isdisjoint(held)}


def rights_of(site: Site, groups: Iterable[str]) -> list[str]:
    """Return the rights of a member of all these groups, those of explicit groups first."""
    by_group = group_rights(site)
    ordered = sorted(groups, key=lambda group: group in IMPLICIT)
    rights = dict.fromkeys(right for group in ordered for right in by_group.get(group, ()))
    if not site.config.editing.email:
        rights.pop("sendemail", None)
    return list(rights)


def implicit_groups(site: Site, user: UserRow, now: str) -> list[str]:
    """Return the groups to which an account belongs automatically; ``now`` has 14 digits."""
    if user.is_temp:
        return ["*", "user", "temp"]
    permissions = site.config.permissions
    old_enough = compact(moment_of(now) - timedelta(days=permissions.autoconfirm_days))
    is_confirmed = (
        user.registration or ""
    ) <= old_enough and user.edit_count >= permissions.autoconfirm_edits
    return ["*", "user", *(["autoconfirmed"] if is_confirmed else [])]


def in_groups(db: Database, groups: Iterable[str], now: str) -> Any:
    """Return the condition on ``user`` that an account is in one of the groups. One query.

    ``now`` has 14 digits.
    """
    of_groups = UserGroups.ug_group.in_(sorted(groups))
    members = UserGroups.select(UserGroups.ug_user).where(of_groups, not_expired(now))
    if is_rare(db, UserGroups.select().where(of_groups)):
        return Account.user_id.in_(members)
    return fn.EXISTS(members.where(UserGroups.ug_user == Account.user_id))


def not_expired(now: str) -> Any:
    """Return the condition on ``user_groups`` that a membership is valid; ``now`` has 14 digits."""
    return UserGroups.ug_expiry.is_null() | (UserGroups.ug_expiry >= now)
