"""Entity tags: a client that has an answer already is told so instead of being sent it again."""

from __future__ import annotations

import hashlib

from werkzeug.http import parse_etags, quote_etag, unquote_etag

from wikiapi.http.reply import Reply

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
    """A strong tag, quoted: two answers share it only if they are the same byte for byte."""
    digest = hashlib.sha256(body).hexdigest()[:_DIGITS]
    return quote_etag(f"{digest}-{coding}" if coding else digest)


def revalidated(reply: Reply, if_none_match: str | None) -> Reply:
    """The reply, or a 304 for a client that has what its ``ETag`` stands for.

    Tags are compared weakly, as RFC 9110 (13.1.2) has it. A reply without one is sent as it is.
    """
    if not if_none_match:
        return reply
    tag, _ = unquote_etag(dict(reply.headers).get("ETag"))
    if not tag or not parse_etags(if_none_match).contains_weak(tag):
        return reply
    kept = [header for header in reply.headers if header[0].lower() in _REPEATED]
    return Reply(304, kept)
