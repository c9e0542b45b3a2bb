"""How often users may do something within some time: MediaWiki's default limits.

https://www.mediawiki.org/wiki/Manual:$wgRateLimits
"""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api.request import User
from wikiapi_plugins.facts import facts

IP, NEWBIE, USER = "ip", "newbie", "user"
"""Whom a limit counts: an address without account, a new account, an account."""


class RateLimit(NamedTuple):
    """At most so many actions in so many seconds."""

    hits: int
    seconds: int


def limits_of(user: User) -> dict[str, dict[str, RateLimit]]:
    """Return the limits that are meant for a user, by action and by whom they count."""
    limits = {}
    for action, kinds in facts("ratelimits").items():
        own = {kind: RateLimit(*kinds[kind]) for kind in _kinds(user) if kind in kinds}
        if own:
            limits[action] = own
    return limits


def _kinds(user: User) -> tuple[str, ...]:
    """Return which limits are a user's: new accounts share those of their address."""
    if user.is_anonymous:
        return (IP,)
    return (USER,) if user.can("autoconfirmed") else (USER, IP, NEWBIE)
