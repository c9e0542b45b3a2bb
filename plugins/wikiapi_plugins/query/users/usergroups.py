"""The groups of users and their rights, as modules that filter by them know them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wikiapi.site import Site
from wikiapi.store.models import UserGroups
from wikiapi_plugins.facts import facts

IMPLICIT = ("*", "user", "autoconfirmed")
"""Groups that no user is put into."""
_OF_NO_GROUP = (
    "autocreateaccount",
    "delete-redirect",
    "override-export-depth",
    "pagelang",
    "patrolmarks",
    "reupload-own",
    "siteadmin",
    "upload_by_url",
    "userrights-interwiki",
)
"""Rights that MediaWiki knows and gives to no group unless it is configured to."""

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
"""Rights that every user has without any group."""


def explicit_groups(_: Site) -> tuple[str, ...]:
    """Return the groups that users are put into, by name."""
    return tuple(sorted(group for group in facts("usergroups") if group not in IMPLICIT))


def all_rights(site: Site) -> tuple[str, ...]:
    """Return every right there is, by name."""
    known = {right for rights in facts("usergroups").values() for right in rights}
    return tuple(sorted({*known, *_OF_NO_GROUP, *site.config.permissions.anonymous_rights}))


def groups_with(site: Site, rights: Iterable[str]) -> set[str]:
    """Return the groups that have at least one of the rights."""
    wanted = frozenset(rights)
    given = facts("usergroups") | {"*": site.config.permissions.anonymous_rights}
    return {group for group, held in given.items() if not wanted.isdisjoint(held)}


def rights_of(site: Site, groups: Iterable[str]) -> list[str]:
    """Return the rights of the members of all of the groups, those of explicit groups first."""
    given = facts("usergroups") | {"*": site.config.permissions.anonymous_rights}
    ordered = sorted(groups, key=lambda group: group in IMPLICIT)
    return list(dict.fromkeys(right for group in ordered for right in given.get(group, ())))


def implicit_groups(is_temp: object) -> list[str]:
    """Return the groups an account is in by itself; the defaults confirm each at once."""
    return ["*", "user", "temp" if is_temp else "autoconfirmed"]


def not_expired(now: str) -> Any:
    """Return a condition on user_groups: the membership has not ended at a moment of 14 digits."""
    return UserGroups.ug_expiry.is_null() | (UserGroups.ug_expiry >= now)
