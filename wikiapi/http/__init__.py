"""WSGI: the application of a site, applications that plugins mount, and the server."""

from __future__ import annotations

from wikiapi.http.app import make_app
from wikiapi.http.mounting import mount, wiki_at
from wikiapi.http.reply import Header, Reply
from wikiapi.http.routing import PART, Mount
from wikiapi.http.serving.server import serve

__all__ = [
    "PART",
    "Header",
    "Mount",
    "Reply",
    "make_app",
    "mount",
    "serve",
    "wiki_at",
]
