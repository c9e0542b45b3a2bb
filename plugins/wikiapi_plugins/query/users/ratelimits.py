"""Rate limits of users, with MediaWiki's defaults.

https://www.mediawiki.org/wiki/Manual:$wgRateLimits
"""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api.request import User
from wikiapi_plugins.facts import facts

IP, NEWBIE, USER = "ip", "newbie", "user"
"""To whom a limit applies: an IP address without an account, a new account, or any account."""


class RateLimit(NamedTuple):
    """A limit of at most ``hits`` actions in ``seconds``."""

    hits: int
    seconds: int


def limits_of(user: User) -> dict[str, dict[str, RateLimit]]:
    """Return the limits that apply to a user, by action and kind."""
    limits = {}
    for action, kinds in facts("ratelimits").items():
        own = {kind: RateLimit(*kinds[kind]) for kind in _kinds(user) if kind in kinds}
        if own:
            limits[action] = own
    return limits


def _kinds(user: User) -> tuple[str, ...]:
    """Return the kinds of limits of a user; new accounts share those of their address."""
    if user.is_anonymous:
        return (IP,)
    return (USER,) if user.can("autoconfirmed") else (USER, IP, NEWBIE)
