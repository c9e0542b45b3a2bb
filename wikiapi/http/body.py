"""Request bodies: forms, urlencoded or multipart, within the configured limits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import (
    Data,
    Epilogue,
    Field,
    File,
    MultipartDecoder,
    NeedData,
)
from werkzeug.wsgi import get_input_stream

from wikiapi.http.errors import Refused, too_large
from wikiapi.http.parameters import Parameters, to_text

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
_LONGEST_BOUNDARY = 70
"""RFC 2046 (5.1.1)."""
_AFTER_BOUNDARY = re.compile(rb"--|(?<![ \t])[ \t]*+[\r\n]")


def read_form(environ: WSGIEnvironment, parameters: Parameters, most_bytes: int) -> None:
    """Add the fields of a request's body; a body of another media type holds none.

    Raises:
        Refused: the body is too large or broken.
    """
    media_type, options = parse_options_header(environ.get("CONTENT_TYPE"))
    media_type = media_type.lower()
    if media_type == URLENCODED:
        parameters.add_urlencoded(_read(environ, most_bytes).decode("latin-1"))
    elif media_type == MULTIPART:
        boundary = options.get("boundary", "").encode("utf-8", "replace")
        _add_multipart(_read(environ, most_bytes), boundary, parameters)
    else:
        _check_length(environ, most_bytes)


def _read(environ: WSGIEnvironment, most_bytes: int) -> bytes:
    try:
        # One byte more, since a body of undeclared length is cut off at the limit without a word.
        body = get_input_stream(environ, max_content_length=most_bytes + 1).read()
    except HTTPException as error:
        raise _refused(error) from error
    if len(body) > most_bytes:
        raise too_large("a larger body")
    return body


def _check_length(environ: WSGIEnvironment, most_bytes: int) -> None:
    """Refuse what is too large even where nobody is going to read it."""
    try:
        get_input_stream(environ, max_content_length=most_bytes)
    except HTTPException as error:
        raise _refused(error) from error


def _refused(error: HTTPException) -> Refused:
    if error.code == 413:
        return too_large("a larger body")
    return Refused(400, "The request's body could not be read.")


def _add_multipart(body: bytes, boundary: bytes, parameters: Parameters) -> None:
    if not 0 < len(boundary) <= _LONGEST_BOUNDARY:
        raise Refused(400, "The multipart form names no boundary, or a longer one than allowed.")
    # The decoder would try to match the boundary anew at each byte of a preamble.
    delimiter = b"--" + boundary
    start = body.find(delimiter)
    if start < 0 or not _AFTER_BOUNDARY.match(body, start + len(delimiter)):
        raise Refused(400, "The multipart form is malformed.")
    decoder = MultipartDecoder(boundary, max_parts=parameters.most)
    decoder.receive_data(body[start:])
    decoder.receive_data(None)
    try:
        _add_parts(decoder, parameters)
    except HTTPException as error:
        raise too_large("more fields") from error
    except ValueError as error:
        raise Refused(400, "The multipart form is malformed.") from error


def _add_parts(decoder: MultipartDecoder, parameters: Parameters) -> None:
    """Take the fields; uploaded files are read over, since nothing here receives any."""
    name: str | None = None
    chunks: list[bytes] = []
    while not isinstance(event := decoder.next_event(), Epilogue | NeedData):
        if isinstance(event, Field | File):
            name, chunks = event.name if isinstance(event, Field) else None, []
        elif isinstance(event, Data):
            chunks.append(event.data)
            if name is not None and not event.more_data:
                parameters.add(name, to_text(b"".join(chunks)))
