"""A browser's request to an application that a plugin has mounted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote
from wsgiref.types import WSGIEnvironment

from wikiapi.http.requests import Parameters, headers_of, read_form, to_text

MOST_PARAMETERS = 100


@dataclass(frozen=True, slots=True)
class WebRequest:
    """One request, decoded.

    Attributes:
        method: in capitals.
        path: the path below the mount, decoded; a byte that is not UTF-8 is a lone surrogate.
        params: the last value of each parameter of the query string and of the form that was
            posted, decoded in the same way.
        headers: headers by name in lower case.
        root: path at which the site is mounted, empty for the server's root; quoted for a URL.
        script_name: path at which the application is mounted, quoted for a URL.
        environ: the request as WSGI has it; the body has been read.
    """

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    root: str = ""
    script_name: str = ""
    environ: WSGIEnvironment = field(default_factory=dict, repr=False, compare=False)


def read_request(environ: WSGIEnvironment, mounted: str, most_body: int = 0) -> WebRequest:
    """Decode a request to the application at the path ``mounted`` of a site.

    Args:
        environ: the request.
        mounted: the path of the application.
        most_body: bytes of the largest form that may be posted.

    Raises:
        Refused: it has too many parameters, or its body is too large or broken.
    """
    parameters = Parameters(MOST_PARAMETERS)
    parameters.add_urlencoded(environ.get("QUERY_STRING", ""))
    if environ["REQUEST_METHOD"] == "POST":
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
