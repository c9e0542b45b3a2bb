"""From a WSGI environment to a request as the API sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from werkzeug.sansio.http import parse_cookie

from wikiapi.api.request import ApiRequest
from wikiapi.http.address import ClientAddresses, is_local
from wikiapi.http.body import read_form
from wikiapi.http.errors import Refused
from wikiapi.http.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Mapping
    from wsgiref.types import WSGIEnvironment

    from wikiapi.config import HttpConfig

MOST_FIELD = 16_384
"""Bytes of a header field; several of one name count together."""


def check_fields(environ: Mapping[str, Any]) -> None:
    """Refuse a request before anything is made of its header.

    Raises:
        Refused: with 431, a field is too long.
    """
    for key, value in environ.items():
        # Hardly any is long: what it is comes second.
        is_long = value.__class__ is str and len(value) > MOST_FIELD
        if is_long and (key.startswith("HTTP_") or key == "CONTENT_TYPE"):
            raise Refused(431, "The request has a longer header field than this server accepts.")


class RequestReader:
    """Reads requests within the limits of a configuration."""

    def __init__(self, config: HttpConfig) -> None:
        """Take the limits and the trusted proxies.

        Raises:
            ConfigError: a trusted proxy is no address.
        """
        self._config = config
        self._clients = ClientAddresses(config.trusted_proxies)

    def read(self, environ: WSGIEnvironment) -> ApiRequest:
        """Decode a request.

        Raises:
            Refused: its body is too large or broken.
        """
        parameters = Parameters(self._config.max_parts)
        query: str = environ.get("QUERY_STRING", "")
        parameters.add_urlencoded(query)
        query_names = frozenset(parameters.values)
        method: str = environ["REQUEST_METHOD"]
        if method == "POST":
            read_form(environ, parameters, self._config.max_body)
        headers = headers_of(environ)
        return ApiRequest(
            method=method,
            params=parameters.values,
            query_names=query_names,
            array_names=frozenset(parameters.arrays),
            url=_url(environ, query),
            mount=quote(environ.get("SCRIPT_NAME", "").encode("latin-1")),
            headers=headers,
            cookies=_cookies(headers),
            remote_address=self._clients.find(environ),
            is_local=self._config.debug_info == "auto" and is_local(environ, headers),
        )


def headers_of(environ: Mapping[str, Any]) -> dict[str, str]:
    """A request's headers by name in lower case."""
    headers = {
        key[5:].replace("_", "-").lower(): value
        for key, value in environ.items()
        if key.startswith("HTTP_")
    }
    if environ.get("CONTENT_TYPE"):
        headers["content-type"] = environ["CONTENT_TYPE"]
    if environ.get("CONTENT_LENGTH"):
        headers["content-length"] = environ["CONTENT_LENGTH"]
    return headers


def _cookies(headers: Mapping[str, str]) -> Mapping[str, str]:
    cookie = headers.get("cookie")
    return parse_cookie(cookie) if cookie else {}


def _url(environ: Mapping[str, Any], query: str) -> str:
    path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    return f"{quote(path.encode('latin-1'))}?{query}" if query else quote(path.encode("latin-1"))
