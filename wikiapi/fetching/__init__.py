"""A careful HTTP client, for requests to servers that are not trusted.

* Time: a limit covers the whole request. Resolving the name, connecting, the TLS handshake, sending
  and every read end when it is over, so that no server can hold a thread by answering byte by byte.
* Size: bodies are limited, decompressed or not, and so are headers and the framing of chunks.
* Addresses: the IP address of a host name is checked, and the connection is made to that same one,
  so that a name that resolves to another address a moment later gains nothing.
* Redirects: they are followed only where the caller checks each of them.

No cookies are stored. Proxies are used only where the caller says so.
"""

from __future__ import annotations

from wikiapi.fetching.addresses import WebAddress, is_public
from wikiapi.fetching.client import (
    MAX_BYTES,
    HttpClient,
    OnRetry,
    RateLimit,
    Reply,
    Response,
    parse_retry_after,
    retry_while_busy,
    user_agent,
)
from wikiapi.fetching.errors import BadStatus, Busy, FetchError, Unacceptable, printable

__all__ = [
    "MAX_BYTES",
    "BadStatus",
    "Busy",
    "FetchError",
    "HttpClient",
    "OnRetry",
    "RateLimit",
    "Reply",
    "Response",
    "Unacceptable",
    "WebAddress",
    "is_public",
    "parse_retry_after",
    "printable",
    "retry_while_busy",
    "user_agent",
]
