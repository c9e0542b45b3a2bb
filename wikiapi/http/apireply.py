"""The HTTP reply for a rendered answer: cookies, caching, CORS, compression and streaming."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wikiapi.api.context import RequestContext
from wikiapi.api.dispatch import ERROR_HEADER
from wikiapi.api.format import Rendered
from wikiapi.api.request import lacks_same_origin_security
from wikiapi.budget import Budget
from wikiapi.http.caching import cache_headers, entity_tag, is_public, revalidated, vary
from wikiapi.http.compression import compress, compress_pieces
from wikiapi.http.cookies import SessionCookies
from wikiapi.http.cors import CorsDecision
from wikiapi.http.reply import Header, Reply, protect
from wikiapi.site import Site

_REPEATABLE = frozenset({"GET", "HEAD"})
_MOMENT = 0.001
"""Minimum number of seconds for a piece that is begun in time, since 0 would mean no limit."""


def api_reply(
    context: RequestContext,
    rendered: Rendered,
    status: int,
    cors: CorsDecision,
    cookies: SessionCookies,
) -> Reply:
    """Return the complete reply, except for its length.

    A body in pieces has no entity tag, because the tag depends on the whole content.
    """
    cache, session, http = context.cache, context.session, context.site.config.http
    body, pieces, coding = rendered.body, rendered.pieces, None
    accept_encoding = context.request.headers.get("accept-encoding")
    if accept_encoding and http.compress:
        if pieces is None:
            body, coding = compress(body, accept_encoding)
        else:
            pieces, coding = compress_pieces(pieces, accept_encoding)
    added = dict(context.headers)  # the last value of each
    headers: list[Header] = [
        ("Content-Type", rendered.content_type),
        *rendered.headers,
        *added.items(),
        *cors.headers,
        *cookies.headers(session, is_public=is_public(cache, session)),
        vary(cache, by_origin=cors.varies),
        *cache_headers(cache, session, context.now, http.stale_while_revalidate),
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


class Stream:
    """The pieces of a body, each generated when the server requests it.

    The time in which the client receives them is part of the request's time, after which the answer
    is aborted. An error cannot be reported in the middle of an answer. The exception is passed on
    to the server, which closes the connection. The client notices that the last chunk is missing.
    """

    def __init__(
        self,
        pieces: Iterator[bytes],
        site: Site,
        budget: Budget,
        failed: Callable[[Exception], object],
    ) -> None:
        """Take the pieces, and a function that is called with an exception before it is raised."""
        self._pieces = pieces
        self._site = site
        self._budget = budget
        self._failed = failed

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> bytes:
        try:
            self._budget.check()
            left = max(self._budget.left, _MOMENT)
            work = self._site.config.database.query_deadline
            with self._site.budgets.use(self._budget), self._site.db.deadline(left, work):
                piece = next(self._pieces, None)
        except Exception as error:
            self._failed(error)
            raise
        if piece is None:
            raise StopIteration
        return piece

    def close(self) -> None:
        """Stop generating pieces, after everything was sent or the client has disconnected."""
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()
