"""Caching headers, as MediaWiki states them.

A private answer may be kept by the client for ``maxage`` seconds. A public one may be kept by
everybody, if the request (or the module) says for how long. In between are answers that are public
as long as the client has no session.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import format_datetime

from werkzeug.http import parse_etags, quote_etag, unquote_etag

from wikiapi.api.context import CacheControl, CacheMode
from wikiapi.api.request import Session
from wikiapi.http.reply import Header, Reply

ALWAYS_VARY = ("Accept-Encoding", "Treat-as-Untrusted")
_VARY: Mapping[tuple[bool, bool], Header] = {
    (by_cookie, by_origin): (
        "Vary",
        ",".join((*ALWAYS_VARY, *by_cookie * ("Cookie",), *by_origin * ("Origin",))),
    )
    for by_cookie in (False, True)
    for by_origin in (False, True)
}


def is_public(cache: CacheControl, session: Session) -> bool:
    """Return whether shared caches may keep the answer: never that to an account.

    MediaWiki leaves it to each module what an account sees more than a visitor.
    """
    if cache.mode is CacheMode.PRIVATE or session.is_wanted or session.user_id:
        return False
    if cache.mode is CacheMode.ANON_PUBLIC_USER_PRIVATE and session.is_persistent:
        return False
    return cache.max_age > 0 or cache.shared_max_age > 0


def cache_headers(
    cache: CacheControl, session: Session, now: datetime, stale_time: int = 0
) -> list[Header]:
    """``Cache-Control``, with ``Expires`` for public answers.

    ``stale_time``: seconds for which a shared cache may give an outdated public answer while it
    asks for a new one (RFC 5861); 0 for none.
    """
    if not is_public(cache, session):
        return [("Cache-Control", f"private, must-revalidate, max-age={cache.max_age}")]
    expires = now + timedelta(seconds=_bounded(min(cache.max_age, cache.shared_max_age)))
    ages = [f"s-maxage={cache.shared_max_age}", f"max-age={cache.max_age}"]
    if cache.is_of_module:  # MediaWiki then names them in this order
        ages.reverse()
    control = f"{', '.join(ages)}, public"
    if stale_time > 0:
        control += f", stale-while-revalidate={stale_time}"
    return [("Expires", format_datetime(expires, usegmt=True)), ("Cache-Control", control)]


def vary(cache: CacheControl, *, by_origin: bool) -> Header:
    """``Vary``: the request headers that the answer depends on."""
    return _VARY[cache.mode is CacheMode.ANON_PUBLIC_USER_PRIVATE, by_origin]


def _bounded(seconds: int) -> int:
    """Return an age of at most ten years; the request may contain any number."""
    return max(0, min(seconds, 10 * 365 * 24 * 3600))


_DIGITS = 24
_REPEATED = frozenset(
    {
        "access-control-allow-credentials",
        "access-control-allow-origin",
        "access-control-expose-headers",
        "cache-control",
        "etag",
        "expires",
        "set-cookie",
        "vary",
    }
)
"""What RFC 9110 (15.4.5) wants of a 304, and what the client is to learn all the same."""


def entity_tag(body: bytes, coding: str | None) -> str:
    """Return a strong tag, quoted: two answers share it only if they are the same byte for byte."""
    digest = hashlib.sha256(body).hexdigest()[:_DIGITS]
    return quote_etag(f"{digest}-{coding}" if coding else digest)


def revalidated(reply: Reply, if_none_match: str | None) -> Reply:
    """Return the reply, or a 304 for a client that has what its ``ETag`` stands for.

    Tags are compared weakly, as RFC 9110 (13.1.2) has it. A reply without one is sent as it is.
    """
    if not if_none_match:
        return reply
    tag, _ = unquote_etag(dict(reply.headers).get("ETag"))
    if not tag or not parse_etags(if_none_match).contains_weak(tag):
        return reply
    repeated = [header for header in reply.headers if header[0].lower() in _REPEATED]
    return Reply(304, repeated)
