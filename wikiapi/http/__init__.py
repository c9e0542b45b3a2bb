"""WSGI: the application of a site, applications that plugins mount, and the server."""

from __future__ import annotations

from wikiapi.api.request import LOOPBACK
from wikiapi.http.address import ClientAddresses, is_local
from wikiapi.http.apicalls import ApiCalls, ApiReply, may_read
from wikiapi.http.apireply import Stream
from wikiapi.http.app import ACTION, make_app
from wikiapi.http.caching import revalidated
from wikiapi.http.compression import compress, compress_pieces
from wikiapi.http.cookies import cookie_prefix
from wikiapi.http.errors import RETRY_LATER
from wikiapi.http.mounting import mount, wiki_at
from wikiapi.http.reply import Header, Page, Reply, local, protect
from wikiapi.http.requests import Parameters, headers_of, module_params, read_form, to_text
from wikiapi.http.routing import PART, Mount
from wikiapi.http.serving.server import serve
from wikiapi.http.webrequests import WebRequest, read_request
from wikiapi.http.wsgiclient import InProcess

__all__ = [
    "ACTION",
    "LOOPBACK",
    "PART",
    "RETRY_LATER",
    "ApiCalls",
    "ApiReply",
    "ClientAddresses",
    "Header",
    "InProcess",
    "Mount",
    "Page",
    "Parameters",
    "Reply",
    "Stream",
    "WebRequest",
    "compress",
    "compress_pieces",
    "cookie_prefix",
    "headers_of",
    "is_local",
    "local",
    "make_app",
    "may_read",
    "module_params",
    "mount",
    "protect",
    "read_form",
    "read_request",
    "revalidated",
    "serve",
    "to_text",
    "wiki_at",
]
