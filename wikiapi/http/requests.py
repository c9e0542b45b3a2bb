"""Reads the parameters, body and headers of WSGI requests into an :class:`ApiRequest`.

Parameters are decoded as in PHP, for which clients were written: the last of repeated names is
used, ``name[]`` makes an array, ``+`` is a space, and dots and spaces in names become underscores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote_to_bytes
from wsgiref.types import WSGIEnvironment

from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_options_header
from werkzeug.sansio.http import parse_cookie
from werkzeug.wsgi import get_input_stream

from wikiapi.api.request import ApiRequest, UploadedFile
from wikiapi.config import HttpConfig
from wikiapi.http.address import ClientAddresses, is_local
from wikiapi.http.errors import BODY, FIELDS, Refused, UnreadRequest, too_large, unreadable
from wikiapi.http.multipart import parts_of

LOGGED_PARAMS = ("action", "prop", "list", "meta", "generator", "format")
"""Parameters that name modules. No others are logged, since they may be tokens."""
_LONGEST_LOGGED = 200
MAX_FIELD_BYTES = 16_384
"""Maximum length of a header field in bytes, or of all fields with the same name together."""
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
_NOT_IN_NAMES = str.maketrans(" .[", "___")
_SLICE = 65_536
"""Number of bytes that are percent-decoded at once, which takes up to eighty times the memory."""


def module_params(params: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a request that a log may show."""
    return {name: params[name][:_LONGEST_LOGGED] for name in LOGGED_PARAMS if params.get(name)}


def check_fields(environ: Mapping[str, Any]) -> None:
    """Check the lengths of header fields, before they are read.

    Raises:
        Refused: with status 431, if a field is too long.
    """
    for key, value in environ.items():
        # The length is checked first, because hardly any value is long.
        is_long = value.__class__ is str and len(value) > MAX_FIELD_BYTES
        if is_long and (key.startswith("HTTP_") or key == "CONTENT_TYPE"):
            raise Refused(431, "The request has a longer header field than this server accepts.")


class RequestReader:
    """Reads requests within the limits of a configuration."""

    def __init__(self, config: HttpConfig) -> None:
        """Take the limits and the trusted proxies.

        Raises:
            ConfigError: a trusted proxy is not an address.
        """
        self._config = config
        self._clients = ClientAddresses(config.trusted_proxies)

    def read(self, environ: WSGIEnvironment) -> ApiRequest:
        """Return the decoded request.

        If its parameters or body are too large or malformed, it has the parameters that could be
        read, and the error as its ``fault``.
        """
        parameters = Parameters(self._config.max_parts)
        query: str = environ.get("QUERY_STRING", "")
        query_params: Mapping[str, str] = {}
        method: str = environ["REQUEST_METHOD"]
        body, fault = b"", None
        try:
            parameters.add_urlencoded(query)
            query_params = parameters.values
            if method == "POST":
                query_params = dict(query_params)
                body = read_form(environ, parameters, self._config.max_body)
        except UnreadRequest as error:
            fault = error.api_error()
        headers = headers_of(environ)
        mount = quote(environ.get("SCRIPT_NAME", "").encode("latin-1"))
        path = mount + quote(environ.get("PATH_INFO", "").encode("latin-1"))
        cookie = headers.get("cookie")
        return ApiRequest(
            method=method,
            params=parameters.values,
            query_params=query_params,
            array_names=frozenset(parameters.arrays),
            url=f"{path}?{query}" if query else path,
            mount=mount,
            headers=headers,
            cookies=parse_cookie(cookie) if cookie else {},
            remote_address=self._clients.find(environ),
            is_local=self._config.debug_info == "auto" and is_local(environ, headers),
            files=parameters.files,
            body=body,
            fault=fault,
        )


def headers_of(environ: Mapping[str, Any]) -> dict[str, str]:
    """Return a request's headers by lower-case name."""
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


def read_form(environ: WSGIEnvironment, parameters: Parameters, most_bytes: int) -> bytes:
    """Add the fields of a form to the parameters; return the body if it is not a form.

    Raises:
        UnreadRequest: the body is too large or malformed.
    """
    media_type, options = parse_options_header(environ.get("CONTENT_TYPE"))
    media_type = media_type.lower()
    try:
        # One byte more, because a body of undeclared length is silently truncated at the limit.
        body = get_input_stream(environ, max_content_length=most_bytes + 1).read()
    except HTTPException as error:
        if error.code == 413:
            raise too_large(BODY) from error
        raise unreadable("The request's body could not be read.") from error
    if len(body) > most_bytes:
        raise too_large(BODY)
    if media_type == URLENCODED:
        parameters.add_urlencoded(body.decode("latin-1"))
    elif media_type == MULTIPART:
        boundary = options.get("boundary", "").encode("utf-8", "replace")
        for part in parts_of(body, boundary, parameters.most):
            if part.name is not None and part.filename is not None:
                parameters.add_file(part.name, UploadedFile(part.filename, part.data))
            elif part.name is not None:
                parameters.add(part.name, to_text(part.data))
    else:
        return body
    return b""


@dataclass(slots=True)
class Parameters:
    """Collects the parameters of a request.

    Bytes that are not UTF-8 are lone surrogates in values, so that validation can replace them and
    add a warning; in names they are replaced at once.
    """

    most: int
    values: dict[str, str] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    count: int = 0
    files: dict[str, UploadedFile] = field(default_factory=dict)

    def add(self, name: str, value: str) -> None:
        """Set a parameter, replacing an earlier one with the same name.

        Raises:
            UnreadRequest: there are more fields than ``most``.
        """
        self.count += 1
        if self.count > self.most:
            raise too_large(FIELDS)
        stored_name, is_array = php_name(name)
        if is_array:
            self.values.pop(stored_name, None)
            self.arrays.add(stored_name)
        elif stored_name:
            self.arrays.discard(stored_name)
            self.values[stored_name] = value

    def add_file(self, name: str, file: UploadedFile) -> None:
        """Set a file, replacing an earlier one with the same field name.

        A file without a file name is ignored, since browsers send it if none is chosen.
        """
        stored_name, is_array = php_name(name)
        if stored_name and not is_array and file.name:
            self.files[stored_name] = file

    def add_urlencoded(self, text: str) -> None:
        """Add the fields of a query string or form, given with one character for each byte."""
        for pair in text.split("&", self.most + 1):
            if pair:
                name, _, value = pair.partition("=")
                self.add(name if name.isidentifier() else decode(name), decode(value))


def decode(encoded: str) -> str:
    """Return a percent-encoded text decoded; it is given with one character for each byte."""
    if "+" in encoded:
        encoded = encoded.replace("+", " ")
    if "%" in encoded:
        return to_text(b"".join(_unquoted(encoded.encode("latin-1"))))
    return encoded if encoded.isascii() else to_text(encoded.encode("latin-1"))


def _unquoted(data: bytes) -> Iterator[bytes]:
    """Yield slices of percent-encoded data decoded; no slice ends inside an escape."""
    start = 0
    while start < len(data):
        end = start + _SLICE
        if end < len(data) and (escape := data.rfind(b"%", end - 2, end)) >= 0:
            end = escape
        yield unquote_to_bytes(data[start:end])
        start = end


def to_text(data: bytes) -> str:
    """Return UTF-8 decoded; each invalid byte becomes a lone surrogate."""
    return data.decode("utf-8", "surrogateescape")


def php_name(name: str) -> tuple[str, bool]:
    """Return a parameter's name as PHP changes it, and whether it is an array."""
    if name.isidentifier() and name.isascii():
        return name, False
    name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace").lstrip(" ")
    head, bracket, rest = name.partition("[")
    if bracket and head and "]" in rest:
        return head.translate(_NOT_IN_NAMES), True
    return name.translate(_NOT_IN_NAMES), False
