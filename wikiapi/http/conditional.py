"""Entity tags: a client that has an answer already is told so instead of being sent it again."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from werkzeug.http import parse_etags, quote_etag

from wikiapi.http.reply import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """A strong tag, unquoted: two answers share it only if they are the same byte for byte."""
    digest = hashlib.blake2b(body, digest_size=12).hexdigest()
    return f"{digest}-{coding}" if coding else digest


def revalidated(reply: Reply, tag: str, request_headers: Mapping[str, str]) -> Reply:
    """The reply with its tag, or a 304 for a client that has it.

    Tags are compared weakly, as RFC 9110 (13.1.2) has it.
    """
    reply.headers.append(("ETag", quote_etag(tag)))
    known = request_headers.get("if-none-match")
    if known is None or not parse_etags(known).contains_weak(tag):
        return reply
    kept = [header for header in reply.headers if header[0].lower() in _REPEATED]
    return Reply(304, kept)
