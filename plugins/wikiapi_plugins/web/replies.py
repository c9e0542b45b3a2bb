"""Replies to browsers: pages under a strict content policy, with validators and compression."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from werkzeug.http import parse_etags, quote_etag, unquote_etag

from wikiapi.http.compression import compress
from wikiapi.http.reply import Reply, protect
from wikiapi_plugins.web.requests import read_request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from wikiapi.http.reply import Header
    from wikiapi_plugins.web.requests import WebRequest

HTML = "text/html; charset=utf-8"
NEVER_KEPT = "private, no-store"
KEPT_FOREVER = "public, max-age=31536000, immutable"
CHECKED_AGAIN = "public, max-age=0, must-revalidate"
"""Whoever keeps the answer asks each time whether it is still good (304)."""

_LOCKED = ("default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")
_METHODS = "GET, HEAD"
_COMPRESSED = ("text/", "application/json", "image/svg+xml")


def content_policy(**sources: str) -> str:
    """A Content-Security-Policy that allows nothing but what is named.

    Directives are written with underscores: ``content_policy(style_src="'self'")``.
    """
    allowed = (f"{name.replace('_', '-')} {value}" for name, value in sources.items())
    return "; ".join((*_LOCKED, *allowed))


def html_reply(
    text: str,
    policy: str,
    *,
    status: int = 200,
    cache: str = NEVER_KEPT,
    etag: str = "",
    headers: Iterable[Header] = (),
) -> Reply:
    """A page.

    Args:
        text: the document.
        policy: its Content-Security-Policy, as :func:`content_policy` makes it.
        status: of HTTP.
        cache: the ``Cache-Control``.
        etag: what the page's content depends on, unquoted; empty for no validator.
        headers: further ones.
    """
    return content_reply(
        text.encode("utf-8", "replace"),
        HTML,
        status=status,
        cache=cache,
        etag=etag,
        headers=[("Content-Security-Policy", policy), *headers],
    )


def content_reply(
    body: bytes,
    content_type: str,
    *,
    status: int = 200,
    cache: str = NEVER_KEPT,
    etag: str = "",
    headers: Iterable[Header] = (),
) -> Reply:
    """Any content; arguments as for :func:`html_reply`."""
    given = [("Content-Type", content_type), ("Cache-Control", cache), *headers]
    if etag:
        given.append(("ETag", quote_etag(etag, weak=True)))
    if not any(name == "Content-Disposition" for name, _ in given):
        given.append(("Content-Disposition", "inline"))
    return Reply(status, protect(given), body)


def redirect_reply(location: str, status: int = 302, *, cache: str = NEVER_KEPT) -> Reply:
    """Send the browser to another address: a full URL, or a path on this server."""
    quoted = quote(location, safe="!#$%&'()*+,/:;=?@[]~", errors="replace")
    headers = [("Location", quoted)]
    text = b"The page is elsewhere.\n"
    return content_reply(
        text, "text/plain; charset=utf-8", status=status, cache=cache, headers=headers
    )


def is_fresh(request: WebRequest, etag: str) -> bool:
    """Whether the browser already has what an (unquoted) ETag stands for."""
    asked = request.headers.get("if-none-match")
    return bool(asked) and parse_etags(asked).contains_weak(etag)


def not_modified(etag: str, cache: str) -> Reply:
    """Status 304, for what :func:`is_fresh`."""
    headers = [("ETag", quote_etag(etag, weak=True)), ("Cache-Control", cache)]
    return Reply(304, [*headers, ("Vary", "Accept-Encoding")])


def web_app(
    answer: Callable[[WebRequest], Reply | WSGIApplication],
    mounted: str,
    *,
    compressed: bool = True,
) -> WSGIApplication:
    """The WSGI application of a function that answers GET and HEAD.

    Args:
        answer: makes the reply, or names what sends one itself; may raise ``Refused``.
        mounted: the path of its mount.
        compressed: whether texts are compressed for browsers that ask for it.
    """

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        reply = _reply(answer, environ, mounted)
        if not isinstance(reply, Reply):
            return reply(environ, start_response)
        if reply.status == 200:
            reply = _conditional(reply, environ)
        if compressed:
            _compress(reply, environ.get("HTTP_ACCEPT_ENCODING", ""))
        if reply.status != 304:
            reply.headers.append(("Content-Length", str(len(reply.body))))
        start_response(reply.status_line, reply.headers)
        return () if environ["REQUEST_METHOD"] == "HEAD" else (reply.body,)

    return app


def _reply(
    answer: Callable[[WebRequest], Reply | WSGIApplication], environ: WSGIEnvironment, mounted: str
) -> Reply | WSGIApplication:
    if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
        return answer(read_request(environ, mounted))
    text = b"This method is not answered here.\n"
    headers = [("Allow", _METHODS)]
    return content_reply(text, "text/plain; charset=utf-8", status=405, headers=headers)


def _conditional(reply: Reply, environ: WSGIEnvironment) -> Reply:
    known = environ.get("HTTP_IF_NONE_MATCH")
    headers = dict(reply.headers)
    etag, _ = unquote_etag(headers.get("ETag"))
    if known and etag and parse_etags(known).contains_weak(etag):
        return not_modified(etag, headers["Cache-Control"])
    return reply


def _compress(reply: Reply, accept_encoding: str) -> None:
    content_type = dict(reply.headers).get("Content-Type", "")
    if not content_type.startswith(_COMPRESSED):
        return
    reply.headers.append(("Vary", "Accept-Encoding"))
    if accept_encoding:
        reply.body, coding = compress(reply.body, accept_encoding)
        if coding:
            reply.headers.append(("Content-Encoding", coding))
