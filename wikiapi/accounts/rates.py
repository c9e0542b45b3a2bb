"""Rate limits for logins, new accounts and actions, with counters in the table ``objectcache``.

https://www.mediawiki.org/wiki/Manual:$wgRateLimits
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from wikiapi.accounts.names import canonical_name
from wikiapi.accounts.objectcache import Entries
from wikiapi.accounts.user import Performer, User
from wikiapi.site import Site
from wikiapi.store.write.sharing import sharing

IP, NEWBIE, USER = "ip", "newbie", "user"
"""To whom a limit applies: an IP address without an account, a new account, or any account."""


class RateLimit(NamedTuple):
    """A limit of at most ``hits`` actions in ``seconds``."""

    hits: int
    seconds: int


LOGIN = (RateLimit(5, 300), RateLimit(150, 48 * 3600))
"""Limits for failed logins to one account from one IP address.

https://www.mediawiki.org/wiki/Manual:$wgPasswordAttemptThrottle
"""
NEW_ACCOUNTS = RateLimit(6, 86_400)
"""Limit for accounts created from one IP address, on wikis with rate limits."""
_LIMITED_AS: Mapping[str, str] = MappingProxyType(
    {
        "changecontentmodel": "editcontentmodel",
        "edit": "edit",
        "emailuser": "sendemail",
        "filerevert": "upload",
        "imagerotate": "upload",
        "move": "move",
        "purge": "purge",
        "resetpassword": "mailpassword",
        "rollback": "rollback",
        "stashedit": "stashedit",
        "tag": "changetags",
        "upload": "upload",
    }
)
"""The names of the limits that apply to actions."""
_KIND = "throttler"
_COUNTERS = Entries(_KIND)


def exceeds_rate_limit(performer: Performer, action: str) -> bool:
    """Count an action, and return whether the user exceeds its rate limit.

    Nothing is counted on a wiki without rate limits or for users with ``noratelimit``.
    """
    site, user = performer.site, performer.user
    if not site.config.editing.rate_limits or user.can("noratelimit"):
        return False
    name = _LIMITED_AS.get(action, "")
    for kind, limit in limits_of(user).get(name, {}).items():
        who = performer.address if kind == IP else str(user.id)
        if hit(site, f"{name}:{kind}:{who}", limit):
            return True
    return False


@cache
def _limits() -> Any:
    """Return the limits by action and kind, with which MediaWiki comes."""
    return json.loads(files(__package__).joinpath("ratelimits.json").read_bytes())


def limits_of(user: User) -> dict[str, dict[str, RateLimit]]:
    """Return the limits that apply to a user, by action and kind."""
    limits = {}
    for action, kinds in _limits().items():
        own = {kind: RateLimit(*kinds[kind]) for kind in _kinds(user) if kind in kinds}
        if own:
            limits[action] = own
    return limits


def _kinds(user: User) -> tuple[str, ...]:
    """Return the kinds of limits of a user; new accounts share those of their address."""
    if user.is_anonymous:
        return (IP,)
    return (USER,) if user.can("autoconfirmed") else (USER, IP, NEWBIE)


def login_wait(site: Site, name: str, address: str) -> int:
    """Return after how many seconds another login may be attempted; 0 if it may be now."""
    spelled = canonical_name(site, name) or name
    return max(wait(site, _login_counter(spelled, address, limit), limit) for limit in LOGIN)


def login_failed(site: Site, name: str, address: str) -> None:
    """Count a failed login."""
    spelled = canonical_name(site, name) or name
    for limit in LOGIN:
        hit(site, _login_counter(spelled, address, limit), limit)


def login_succeeded(site: Site, name: str, address: str) -> None:
    """Reset the counters of failed logins."""
    spelled = canonical_name(site, name) or name
    for limit in LOGIN:
        _COUNTERS.delete(site, _login_counter(spelled, address, limit))


def _login_counter(name: str, address: str, limit: RateLimit) -> str:
    account, _, app_id = name.rpartition("@")
    return f"password:{limit.seconds}:{address}:{account or app_id}"


def wait(site: Site, counter: str, limit: RateLimit) -> int:
    """Return the seconds until an exhausted limit is reset; 0 if it is not exhausted. One query."""
    entry = _entries(limit).get(site, counter)
    if entry is None or int(entry.value) < limit.hits:
        return 0
    return max(int((entry.expires - site.clock()).total_seconds()), 1)


def hit(site: Site, counter: str, limit: RateLimit) -> bool:
    """Increment a counter, and return whether it exceeds its limit. Remove expired counters."""

    def count() -> int:
        with sharing(site.db):
            _COUNTERS.delete_expired(site)
            entry = _entries(limit).get(site, counter, locks=True)
            before = int(entry.value) if entry else 0
            if entry:
                _COUNTERS.change(site, counter, str(before + 1))
            else:
                expires = site.clock() + timedelta(seconds=limit.seconds)
                _COUNTERS.put(site, counter, "1", expires)
        return before

    return site.db.repeated(count) >= limit.hits


def _entries(limit: RateLimit) -> Entries:
    """Return the counters of a limit."""
    return Entries(_KIND, timedelta(seconds=limit.seconds))
