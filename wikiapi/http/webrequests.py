"""A browser's request to an application that a plugin has mounted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote
from wsgiref.types import WSGIEnvironment

from wikiapi.http.requests import Parameters, headers_of, read_form, to_text

_MAX_PARAMETERS = 100


@dataclass(frozen=True, slots=True)
class WebRequest:
    """A decoded request.

    Attributes:
        method: the HTTP method in upper case.
        path: the decoded path below the mount; bytes that are not UTF-8 are lone surrogates.
        params: the last value of each parameter of the query string and the posted form, decoded
            in the same way.
        headers: the headers by name in lower case.
        root: the path at which the site is mounted, percent-encoded; empty for the server's root.
        script_name: the path at which the application is mounted, percent-encoded.
        environ: the WSGI environment. If there was a form, its body has been read.
    """

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    root: str = ""
    script_name: str = ""
    environ: WSGIEnvironment = field(default_factory=dict, repr=False, compare=False)


def read_request(environ: WSGIEnvironment, mounted: str, most_body: int = 0) -> WebRequest:
    """Return the decoded request to an application.

    Args:
        environ: the WSGI environment.
        mounted: the path at which the application is mounted.
        most_body: the largest allowed size of a form in bytes; 0 to leave the body unread.

    Raises:
        Refused: the request has too many parameters, or its body is too large or malformed.
    """
    parameters = Parameters(_MAX_PARAMETERS)
    parameters.add_urlencoded(environ.get("QUERY_STRING", ""))
    if environ["REQUEST_METHOD"] == "POST" and most_body:
        read_form(environ, parameters, most_body)
    script_name = quote(environ.get("SCRIPT_NAME", "").encode("latin-1"))
    return WebRequest(
        method=environ["REQUEST_METHOD"],
        path=to_text(environ.get("PATH_INFO", "").encode("latin-1")),
        params=parameters.values,
        headers=headers_of(environ),
        root=script_name.removesuffix(quote(mounted.rstrip("/"))),
        script_name=script_name,
        environ=environ,
    )
