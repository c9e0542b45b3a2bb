"""``format=json``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import orjson

from wikiapi.api import (
    Later,
    Rendered,
    boolean,
    container_version2,
    enum,
    pieces,
    string,
    to_version1,
    to_version2,
)
from wikiapi_plugins.formats.dataformat import DataFormat, to_bytes

Convert = Callable[[Any], Any]
Encode = Callable[[Any], str]

Members = dict[Any, Any] | list[Any]


_NOT_IN_CALLBACKS = re.compile(r"""[^\]\[.'"_A-Za-z0-9]""")
_LINE_ENDS = re.compile(b"\xe2\x80[\xa8\xa9]")
"""U+2028 and U+2029 in UTF-8."""
_SCRIPT = ("text/javascript", "js")

# The keys say whether characters other than ASCII are escaped.
_EXACT = {
    ascii_only: json.JSONEncoder(
        ensure_ascii=ascii_only, check_circular=False, separators=(",", ":")
    ).encode
    for ascii_only in (False, True)
}
_PRETTY = {
    ascii_only: json.JSONEncoder(
        ensure_ascii=ascii_only, check_circular=False, indent=4, separators=(",", ": ")
    ).encode
    for ascii_only in (False, True)
}


def compact(value: Any) -> str:
    """Return a plain value as JSON without white space.

    orjson supports neither lone surrogates nor integers of more than 64 bits; a value that contains
    them is encoded by the standard library.
    """
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return _EXACT[False](value)


def compact_version2(root: Any) -> bytes:
    """Return a tree as JSON of version 2 in UTF-8, without first converting it to plain data."""
    try:
        return orjson.dumps(root, container_version2, orjson.OPT_PASSTHROUGH_SUBCLASS)
    except orjson.JSONEncodeError:
        return to_bytes(_EXACT[False](to_version2(root)))


def compact_ascii(value: Any) -> str:
    """Return a plain value as JSON without white space, with only ASCII characters."""
    text = compact(value)
    return text if text.isascii() else _EXACT[True](value)


def _in_utf8(value: Any) -> bytes:
    try:
        body = orjson.dumps(value)
    except orjson.JSONEncodeError:
        body = to_bytes(_EXACT[False](value))
    return _encoded_for_scripts(body)


_COMPACT: Mapping[bool, Encode] = {False: compact, True: compact_ascii}
_PARTS: Mapping[bool, Callable[[Any], bytes]] = {
    False: _in_utf8,
    True: lambda value: compact_ascii(value).encode(),
}


class Json(DataFormat):
    """Output data in JSON."""

    name = "json"
    label = "JSON"
    media_type = "application/json"
    extension = "json"
    params = (
        string(
            "callback",
            "Wrap the output into a call of this function; restricts data about the user.",
        ),
        boolean("utf8", "Leave letters beyond ASCII as they are; default in formatversion 2."),
        boolean("ascii", "Escape everything beyond ASCII; default in formatversion 1."),
        enum("formatversion", "1", "2", "latest", default="1", help="Shape of the output."),
    )
    examples = (
        ("action=query&meta=siteinfo&siprop=namespaces&format=json", "The namespaces in JSON"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Data_formats",)

    def media(self) -> tuple[str, str]:
        """Return the media type, which is that of a script if there is a callback."""
        return super().media() if self.p["callback"] is None else _SCRIPT

    def serialize(self, root: Any, *, pretty: bool) -> str:
        """Return the answer as JSON, within a call of the callback if there is one."""
        begin, end = self._call()
        ascii_only, convert = self._shape()
        text = (_PRETTY if pretty else _COMPACT)[ascii_only](convert(root))
        if not text.isascii():
            # JSON allows them in strings, but JavaScript before 2019 does not.
            text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        return f"{begin}{text}{end}" if begin else text

    def render(self, root: Any) -> Rendered:
        """Return the plain form. The most common variant is encoded directly to bytes."""
        if self.p["formatversion"] == "1" or self.p["ascii"] or self.p["callback"] is not None:
            return super().render(root)
        return self._rendered(_encoded_for_scripts(compact_version2(root)))

    def stream(self, root: Any) -> Rendered:
        """Return the plain form in pieces."""
        begin, end = self._call()
        ascii_only, convert = self._shape()
        parts = JsonParts(convert, _PARTS[ascii_only]).of(root)
        return self._rendered(
            b"", pieces.gathered(chain((begin.encode(),), parts, (end.encode(),)))
        )

    def _call(self) -> tuple[str, str]:
        """Return the texts before and after the answer."""
        callback = self.p["callback"]
        if callback is None:
            return "", ""
        # The comment prevents attacks in which a browser plug-in reads the start of the callback's
        # name as a file of its type ("Rosetta Flash").
        return f"/**/{_NOT_IN_CALLBACKS.sub('', callback)}(", ")"

    def _shape(self) -> tuple[bool, Convert]:
        """Return whether only ASCII characters are used, and the conversion of the tree."""
        if self.p["formatversion"] == "1":
            return not self.p["utf8"], to_version1
        return self.p["ascii"], to_version2


def _encoded_for_scripts(body: bytes) -> bytes:
    """Escape the same characters in UTF-8, of which most texts lack even the first byte."""
    if b"\xe2" not in body:
        return body
    return _LINE_ENDS.sub(lambda match: b"\\u%04x" % ord(match[0].decode()), body)


# Small values are encoded at once, because each call of the encoder has a cost. Only large values
# are split.


class JsonParts:
    """Encodes trees as JSON in parts."""

    def __init__(
        self,
        convert: Callable[[Any], Any],
        encode: Callable[[Any], bytes],
        most: int = pieces.PIECE,
    ) -> None:
        """Create an encoder.

        Args:
            convert: converts a tree to plain data.
            encode: encodes plain data in UTF-8 without white space.
            most: the approximate number of characters up to which values are not split.
        """
        self._convert = convert
        self._encode = encode
        self._most = most

    def of(self, root: Any) -> Iterator[bytes]:
        """Yield the parts of ``encode(convert(root))``."""
        return self._value(Later(root))

    def _value(self, value: Any) -> Iterator[bytes]:
        if pieces.length(value, self._most) <= self._most:
            yield self._encode(pieces.finished(value, self._convert))
        elif isinstance(value, str):
            yield b'"'
            yield from (self._encode(piece)[1:-1] for piece in pieces.slices(value, self._most))
            yield b'"'
        else:
            plain = pieces.level(value.node, self._convert) if isinstance(value, Later) else value
            yield from self._container(plain)

    def _container(self, plain: Any) -> Iterator[bytes]:
        """Yield the parts of an object or array that is too large to be encoded at once."""
        begin, end = (b"{", b"}") if isinstance(plain, dict) else (b"[", b"]")
        yield begin
        comma = b""
        for group in _groups(plain, self._most):
            yield comma
            if len(group) > 1:
                yield self._encode(pieces.finished(group, self._convert))[1:-1]
            elif isinstance(group, dict):
                ((name, value),) = group.items()
                yield self._encode({name: 0})[1:-2]
                yield from self._value(value)
            else:
                yield from self._value(group[0])
            comma = b","
        yield end


def _groups(plain: Members, most: int) -> Iterable[Members]:
    """Yield the members of an object or array in groups of limited size, in order."""
    if isinstance(plain, dict):
        names = iter(plain)
        for values in _runs(plain.values(), most):
            yield {name: value for value, name in zip(values, names, strict=False)}
    else:
        yield from _runs(plain, most)


def _runs(values: Iterable[Any], most: int) -> Iterator[list[Any]]:
    """Yield runs of values of limited total size. A larger value is a run by itself."""
    run: list[Any] = []
    total = 0
    for value in values:
        grown = pieces.length(value, most)
        if run and total + grown > most:
            yield run
            run, total = [], 0
        run.append(value)
        total += grown
    if run:
        yield run
