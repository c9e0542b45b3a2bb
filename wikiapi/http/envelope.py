"""The API's reply around a rendered answer: cookies, caching, cross-site access, compression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.sameorigin import lacks_same_origin_security
from wikiapi.http.caching import cache_headers, is_public, vary
from wikiapi.http.compression import compress
from wikiapi.http.reply import Reply, protect

if TYPE_CHECKING:
    from wikiapi.api.context import RequestContext
    from wikiapi.api.format import Rendered
    from wikiapi.http.cookies import SessionCookies
    from wikiapi.http.cors import CorsDecision
    from wikiapi.http.reply import Header


def envelope(
    context: RequestContext,
    rendered: Rendered,
    status: int,
    cors: CorsDecision,
    cookies: SessionCookies,
) -> Reply:
    """The complete reply, but for its length."""
    cache, session = context.cache, context.session
    body, coding = rendered.body, None
    accept_encoding = context.request.headers.get("accept-encoding")
    if accept_encoding and context.site.config.http.compress:
        body, coding = compress(body, accept_encoding)
    headers: list[Header] = [
        ("Content-Type", rendered.content_type),
        *rendered.headers,
        *dict(context.headers).items(),  # the last word on each
        *cors.headers,
        *cookies.headers(session, is_public=is_public(cache, session)),
        vary(cache, by_origin=cors.varies),
        *cache_headers(cache, session, context.now),
    ]
    if coding:
        headers.append(("Content-Encoding", coding))
    if lacks_same_origin_security(context.request):
        headers.append(("MediaWiki-Login-Suppressed", "true"))
    return Reply(status, protect(headers), body)
