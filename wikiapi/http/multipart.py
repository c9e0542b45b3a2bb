"""Divides the body of a multipart form into its parts (RFC 7578, RFC 2046).

The body is in memory as a whole, so that the delimiters are found by plain searches for their
bytes. Werkzeug's decoder reads pieces of a body with expressions that it compiles for every
boundary: an upload of 1 MB spends more than half of its processor time there.

As in Werkzeug, lines may end in CR or LF alone, and text before the first part is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from werkzeug.http import parse_options_header

from wikiapi.http.errors import FIELDS, too_large, unreadable

_LONGEST_BOUNDARY = 70
"""RFC 2046 (5.1.1)."""
_AFTER_DELIMITER = re.compile(rb"--|(?<![ \t])[ \t]*+(?:\r\n|\n|\r)")
_BLANK_LINE = re.compile(rb"(?:\r\n(?=\r\n)|\r(?=\r)|\n(?=\n))(?:\r\n|\n|\r)")
_CONTINUATION = re.compile(rb"(?:\r\n|\n|\r)[ \t]")
_LAST = b"--"


class Part(NamedTuple):
    """A field of a form, or a file if it has a ``filename``. A part without a name is neither."""

    name: str | None
    filename: str | None
    data: bytes


class _Delimiter(NamedTuple):
    """The places of a delimiter in a body."""

    start: int
    """Where the line break before it begins, which belongs to it."""
    place: int
    """Where its hyphens begin."""
    end: int
    """Where the line after it begins."""
    is_last: bool


def parts_of(body: bytes, boundary: bytes, most: int) -> Iterator[Part]:
    """Yield the parts of a multipart form in their order.

    Args:
        body: the form.
        boundary: the boundary that its media type names.
        most: how many parts are allowed.

    Raises:
        UnreadRequest: the form is malformed, or has more parts.
    """
    if not 0 < len(boundary) <= _LONGEST_BOUNDARY:
        raise unreadable("The multipart form names no boundary, or a longer one than allowed.")
    delimiters = _delimiters(body, b"--" + boundary, most)
    delimiter = next(delimiters, None)
    while delimiter is not None and not delimiter.is_last:
        begin, delimiter = delimiter.end, next(delimiters, None)
        if delimiter is not None:
            yield _part(body, begin, delimiter)
    if delimiter is None:
        raise unreadable("The multipart form is malformed.")


def _delimiters(body: bytes, text: bytes, most: int) -> Iterator[_Delimiter]:
    """Yield the delimiters of a body. Clients choose a text that does not occur in its parts."""
    place, count = body.find(text), 0
    while place >= 0:
        # What is no delimiter counts too, so that a form cannot consist of it.
        count += 1
        if count > most + 1:
            raise too_large(FIELDS)
        after = _AFTER_DELIMITER.match(body, place + len(text))
        is_at_start = count == 1 or body[place - 1 : place] in (b"\n", b"\r")
        if after is not None and is_at_start:
            start = place - (2 if body[place - 2 : place] == b"\r\n" else 1)
            yield _Delimiter(start, place, after.end(), after[0] == _LAST)
        elif count == 1:
            return
        place = body.find(text, place + len(text))


def _part(body: bytes, begin: int, delimiter: _Delimiter) -> Part:
    """Return the part that begins at an index and ends with a delimiter."""
    # The blank line after the header fields may be all there is before the delimiter.
    blank = _BLANK_LINE.search(body, begin, delimiter.place)
    if blank is None:
        raise unreadable("The multipart form is malformed.")
    lines = _CONTINUATION.sub(b" ", body[begin : blank.start()]).splitlines()
    try:
        pairs = [line.decode().partition(":") for line in lines]
    except UnicodeDecodeError as error:
        raise unreadable("The multipart form is malformed.") from error
    for name, _, value in pairs:
        if name.strip(" \t").lower() == "content-disposition":
            options = parse_options_header(value.strip(" \t"))[1]
            data = body[blank.end() : delimiter.start]
            return Part(options.get("name"), options.get("filename"), data)
    raise unreadable("The multipart form is malformed.")
