"""Headers for caching, which are the same as in MediaWiki.

A private answer may be cached by the client for ``maxage`` seconds. A public one may also be
cached by shared caches, if the request or the module gives a time. Some answers are public only if
the client has no session.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import format_datetime

from werkzeug.http import parse_etags, quote_etag, unquote_etag

from wikiapi.accounts.user import Session
from wikiapi.api.context import CacheControl, CacheMode
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
    """Return whether shared caches may store the answer. They never store answers to an account.

    In MediaWiki this depends on the module.
    """
    if cache.mode is CacheMode.PRIVATE or session.is_wanted or session.user_id:
        return False
    if cache.mode is CacheMode.ANON_PUBLIC_USER_PRIVATE and session.is_persistent:
        return False
    return cache.max_age > 0 or cache.shared_max_age > 0


_TEN_YEARS = 10 * 365 * 24 * 3600


def cache_headers(
    cache: CacheControl, session: Session, now: datetime, stale_time: int = 0
) -> list[Header]:
    """Return ``Cache-Control``, and ``Expires`` for public answers.

    ``stale_time`` is the number of seconds for which a shared cache may serve an outdated public
    answer while it requests a new one (RFC 5861); 0 for none.
    """
    if not is_public(cache, session):
        return [("Cache-Control", f"private, must-revalidate, max-age={cache.max_age}")]
    # The request may contain any number.
    age = max(0, min(cache.max_age, cache.shared_max_age, _TEN_YEARS))
    expires = now + timedelta(seconds=age)
    ages = [f"s-maxage={cache.shared_max_age}", f"max-age={cache.max_age}"]
    if cache.is_of_module:  # in this case, MediaWiki has them in this order
        ages.reverse()
    control = f"{', '.join(ages)}, public"
    if stale_time > 0:
        control += f", stale-while-revalidate={stale_time}"
    return [("Expires", format_datetime(expires, usegmt=True)), ("Cache-Control", control)]


def vary(cache: CacheControl, *, by_origin: bool) -> Header:
    """Return ``Vary``, which lists the request headers on which the answer depends."""
    return _VARY[cache.mode is CacheMode.ANON_PUBLIC_USER_PRIVATE, by_origin]


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
"""Headers that a 304 has: those required by RFC 9110 (15.4.5), cookies and those for CORS."""


def entity_tag(body: bytes, coding: str | None) -> str:
    """Return a quoted strong entity tag, which is the same only for identical bytes."""
    digest = hashlib.sha256(body).hexdigest()[:_DIGITS]
    return quote_etag(f"{digest}-{coding}" if coding else digest)


def revalidated(reply: Reply, if_none_match: str | None) -> Reply:
    """Return the reply, or a 304 if the client already has the content with its ``ETag``.

    Tags are compared weakly, according to RFC 9110 (13.1.2). A reply without a tag is returned
    unchanged.
    """
    if not if_none_match:
        return reply
    tag, _ = unquote_etag(dict(reply.headers).get("ETag"))
    if not tag or not parse_etags(if_none_match).contains_weak(tag):
        return reply
    repeated = [header for header in reply.headers if header[0].lower() in _REPEATED]
    return Reply(304, repeated)
