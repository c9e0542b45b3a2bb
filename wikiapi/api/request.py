"""Requests as the API sees them, independent of HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wikiapi.errors import ApiError

LOOPBACK = "127.0.0.1"
"""The address that requests of programs on the same machine come from."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file in a form. ``name`` is the file name given by the client."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request, decoded.

    ``params`` contains the last value of each parameter in the query string and body; the body has
    precedence. ``files`` contains the files in the body by field name; ``body`` is the body itself
    if it is not a form. ``query_params`` are those of the query string alone, and ``array_names``
    the names with PHP's array syntax (``titles[]``). ``url`` is the unchanged path and query
    string. ``mount`` is the quoted path at which the site is mounted, empty for the server's root.
    Header names are lower case. ``is_local`` says that the request comes directly from the
    user who runs the server, on this machine; it is only determined if ``http.debug_info`` depends
    on it.
    """

    method: str = "GET"
    params: Mapping[str, str] = field(default_factory=dict)
    query_params: Mapping[str, str] = field(default_factory=dict)
    array_names: frozenset[str] = frozenset()
    url: str = ""
    mount: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    remote_address: str = LOOPBACK
    is_local: bool = False
    files: Mapping[str, UploadedFile] = field(default_factory=dict)
    body: bytes = b""
    fault: ApiError | None = None
    """The error to report if the request could not be read completely."""

    @property
    def is_posted(self) -> bool:
        """Whether this is a POST request."""
        return self.method == "POST"


def lacks_same_origin_security(request: ApiRequest) -> bool:
    """Return whether scripts of any site may read the answer.

    That is the case with JSONP, ``origin=*`` and the header ``Treat-as-Untrusted``.
    """
    return (
        "callback" in request.params
        or request.params.get("origin") == "*"
        or "treat-as-untrusted" in request.headers
    )
