"""A browser's request to an application that a plugin has mounted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote
from wsgiref.types import WSGIEnvironment

from wikiapi.http.requests import Parameters, headers_of, to_text

MOST_PARAMETERS = 100


@dataclass(frozen=True, slots=True)
class WebRequest:
    """One request, decoded.

    Attributes:
        method: in capitals.
        path: the path below the mount, decoded; a byte that is not UTF-8 is a lone surrogate.
        params: the last value of each parameter of the query string, decoded in the same way.
        headers: headers by name in lower case.
        root: path at which the site is mounted, empty for the server's root; quoted for a URL.
        script_name: path at which the application is mounted, quoted for a URL.
    """

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    root: str = ""
    script_name: str = ""


def read_request(environ: WSGIEnvironment, mounted: str) -> WebRequest:
    """Decode a request to the application at the path ``mounted`` of a site.

    Raises:
        Refused: it has too many parameters.
    """
    parameters = Parameters(MOST_PARAMETERS)
    parameters.add_urlencoded(environ.get("QUERY_STRING", ""))
    script_name = quote(environ.get("SCRIPT_NAME", "").encode("latin-1"))
    return WebRequest(
        method=environ["REQUEST_METHOD"],
        path=to_text(environ.get("PATH_INFO", "").encode("latin-1")),
        params=parameters.values,
        headers=headers_of(environ),
        root=script_name.removesuffix(quote(mounted.rstrip("/"))),
        script_name=script_name,
    )
