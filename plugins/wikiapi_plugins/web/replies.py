"""Replies to browsers, with a strict content security policy, validators and compression."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.http import quote_etag

from wikiapi.http import (
    Header,
    Reply,
    WebRequest,
    compress,
    compress_pieces,
    local,
    protect,
    read_request,
    revalidated,
)

HTML = "text/html; charset=utf-8"
NO_STORE = "private, no-store"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "public, max-age=0, must-revalidate"
"""Caches may store the reply, and revalidate it each time (status 304)."""

_LOCKED = ("default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")
_READING = ("GET", "HEAD")
_TEXTS = ("text/", "application/json", "application/xml", "application/atom+xml", "image/svg+xml")


def content_policy(**sources: str) -> str:
    """Return a Content-Security-Policy that allows only the given sources.

    Directives are written with underscores: ``content_policy(style_src="'self'")``.
    """
    allowed = (f"{name.replace('_', '-')} {value}" for name, value in sources.items())
    return "; ".join((*_LOCKED, *allowed))


def html_reply(
    text: str,
    policy: str,
    *,
    status: int = 200,
    cache: str = NO_STORE,
    etag: str = "",
    headers: Iterable[Header] = (),
) -> Reply:
    """Return a reply with an HTML document.

    Args:
        text: the document.
        policy: its Content-Security-Policy, as :func:`content_policy` makes it.
        status: the HTTP status.
        cache: the value of ``Cache-Control``.
        etag: the unquoted value of a weak ``ETag``; empty for none.
        headers: further headers.
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
    cache: str = NO_STORE,
    etag: str = "",
    headers: Iterable[Header] = (),
) -> Reply:
    """Return a reply with any content; the other arguments are those of :func:`html_reply`."""
    lines = [("Content-Type", content_type), ("Cache-Control", cache), *headers]
    if etag:
        lines.append(("ETag", quote_etag(etag, weak=True)))
    if not any(name == "Content-Disposition" for name, _ in lines):
        lines.append(("Content-Disposition", "inline"))
    return Reply(status, protect(lines), body)


def redirect_reply(location: str, status: int = 302) -> Reply:
    """Return a redirect to an absolute URL or to a path on this server."""
    quoted = quote(location, safe="!#$%&'()*+,/:;=?@[]~", errors="replace")
    headers = [("Location", local(quoted))]
    text = b"The page is elsewhere.\n"
    return content_reply(
        text, "text/plain; charset=utf-8", status=status, cache=NO_STORE, headers=headers
    )


def web_app(
    answer: Callable[[WebRequest], Reply | WSGIApplication],
    mounted: str,
    *,
    compressed: bool = True,
    most_body: int = 0,
) -> WSGIApplication:
    """Return a WSGI application that calls a function for GET, HEAD and, if allowed, POST requests.

    Args:
        answer: returns the reply, or an application that sends one; may raise ``Refused``.
        mounted: the path at which the application is mounted.
        compressed: whether text is compressed for clients that accept it.
        most_body: the largest allowed size of a form in bytes; 0 if POST is not allowed.
    """
    methods = (*_READING, "POST") if most_body else _READING

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        reply: Reply | WSGIApplication
        if method in methods:
            reply = answer(read_request(environ, mounted, most_body))
        else:
            text = b"This method is not allowed here.\n"
            headers = [("Allow", ", ".join(methods))]
            reply = content_reply(text, "text/plain; charset=utf-8", status=405, headers=headers)
        if not isinstance(reply, Reply):
            return reply(environ, start_response)
        varies = compressed and dict(reply.headers).get("Content-Type", "").startswith(_TEXTS)
        if varies:
            reply.headers.append(("Vary", "Accept-Encoding"))
        if reply.status == 200 and method in _READING:
            reply = revalidated(reply, environ.get("HTTP_IF_NONE_MATCH"))
        if varies:
            accept_encoding = environ.get("HTTP_ACCEPT_ENCODING", "")
            coding = None
            if reply.pieces is not None:
                reply.pieces, coding = compress_pieces(reply.pieces, accept_encoding)
            elif accept_encoding and reply.body:
                reply.body, coding = compress(reply.body, accept_encoding)
            if coding:
                reply.headers.append(("Content-Encoding", coding))
        if reply.status != 304 and reply.pieces is None:
            reply.headers.append(("Content-Length", str(len(reply.body))))
        start_response(reply.status_line, reply.headers)
        if method == "HEAD":
            return ()
        return (reply.body,) if reply.pieces is None else reply.pieces

    return app
