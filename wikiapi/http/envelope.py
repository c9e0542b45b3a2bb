"""The API's reply around a rendered answer: cookies, caching, cross-site access, compression."""

from __future__ import annotations

from wikiapi.api.context import RequestContext
from wikiapi.api.dispatch import ERROR_HEADER
from wikiapi.api.format import Rendered
from wikiapi.api.request import lacks_same_origin_security
from wikiapi.http.caching import cache_headers, entity_tag, is_public, revalidated, vary
from wikiapi.http.compression import compress, compress_pieces
from wikiapi.http.cookies import SessionCookies
from wikiapi.http.cors import CorsDecision
from wikiapi.http.reply import Header, Reply, protect

_REPEATABLE = frozenset({"GET", "HEAD"})


def envelope(
    context: RequestContext,
    rendered: Rendered,
    status: int,
    cors: CorsDecision,
    cookies: SessionCookies,
) -> Reply:
    """The complete reply, but for its length.

    A body in pieces has no entity tag: that of its content is known only once it is sent.
    """
    cache, session = context.cache, context.session
    body, pieces, coding = rendered.body, rendered.pieces, None
    accept_encoding = context.request.headers.get("accept-encoding")
    if accept_encoding and context.site.config.http.compress:
        if pieces is None:
            body, coding = compress(body, accept_encoding)
        else:
            pieces, coding = compress_pieces(pieces, accept_encoding)
    added = dict(context.headers)  # the last word on each
    headers: list[Header] = [
        ("Content-Type", rendered.content_type),
        *rendered.headers,
        *added.items(),
        *cors.headers,
        *cookies.headers(session, is_public=is_public(cache, session)),
        vary(cache, by_origin=cors.varies),
        *cache_headers(cache, session, context.now, _stale_time(context)),
    ]
    if coding:
        headers.append(("Content-Encoding", coding))
    if lacks_same_origin_security(context.request):
        headers.append(("MediaWiki-Login-Suppressed", "true"))
    reply = Reply(status, protect(headers), body, pieces)
    is_repeatable = status == 200 and context.request.method in _REPEATABLE
    if is_repeatable and pieces is None and ERROR_HEADER not in added:
        reply.headers.append(("ETag", entity_tag(rendered.body, coding)))
        return revalidated(reply, context.request.headers.get("if-none-match"))
    return reply


def _stale_time(context: RequestContext) -> int:
    return context.site.config.http.stale_while_revalidate
