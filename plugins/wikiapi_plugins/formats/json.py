"""``format=json``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import orjson

from wikiapi.api import Rendered, boolean, enum, string
from wikiapi.api.pieces import PIECE, Later, finished, gathered, length, level, slices
from wikiapi.api.result import container_version2, to_version1, to_version2
from wikiapi_plugins.formats.dataformat import DataFormat, to_bytes

Convert = Callable[[Any], Any]
Encode = Callable[[Any], str]

Members = dict[Any, Any] | list[Any]


_NOT_IN_CALLBACKS = re.compile(r"""[^\]\[.'"_A-Za-z0-9]""")
_LINE_ENDS = re.compile(b"\xe2\x80[\xa8\xa9]")
"""U+2028 and U+2029 in UTF-8."""
_SCRIPT = ("text/javascript", "js")

# By whether everything beyond ASCII is escaped.
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

    The fast encoder knows neither halves of characters nor numbers beyond 64 bits.
    """
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return _EXACT[False](value)


def compact_version2(root: Any) -> bytes:
    """Return a tree as JSON in UTF-8 without creating its plain form first."""
    try:
        return orjson.dumps(root, container_version2, orjson.OPT_PASSTHROUGH_SUBCLASS)
    except orjson.JSONEncodeError:
        return to_bytes(_EXACT[False](to_version2(root)))


def compact_ascii(value: Any) -> str:
    """Return the same with everything beyond ASCII escaped."""
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
        """Return the media type: with a callback, the answer is a script."""
        return super().media() if self.p["callback"] is None else _SCRIPT

    def serialize(self, root: Any, *, pretty: bool) -> str:
        """Return the answer as JSON, inside a call of the callback if there is one."""
        begin, end = self._call()
        ascii_only, convert = self._shape()
        text = (_PRETTY if pretty else _COMPACT)[ascii_only](convert(root))
        text = text if ascii_only else _for_scripts(text)
        return f"{begin}{text}{end}" if begin else text

    def render(self, root: Any) -> Rendered:
        """Return the plain form; the most common one is created directly as bytes."""
        if self.p["formatversion"] == "1" or self.p["ascii"] or self.p["callback"] is not None:
            return super().render(root)
        return self._rendered(_encoded_for_scripts(compact_version2(root)))

    def stream(self, root: Any) -> Rendered:
        """Return the same without white space, part by part."""
        begin, end = self._call()
        ascii_only, convert = self._shape()
        parts = JsonParts(convert, _PARTS[ascii_only]).of(root)
        return self._rendered(b"", gathered(chain((begin.encode(),), parts, (end.encode(),))))

    def _call(self) -> tuple[str, str]:
        """Return the texts before and after the answer."""
        callback = self.p["callback"]
        if callback is None:
            return "", ""
        # The comment in front keeps a plug-in from taking the name's first bytes for its own.
        return f"/**/{_NOT_IN_CALLBACKS.sub('', callback)}(", ")"

    def _shape(self) -> tuple[bool, Convert]:
        """Return whether everything beyond ASCII is escaped, and the conversion of the tree."""
        if self.p["formatversion"] == "1":
            return not self.p["utf8"], to_version1
        return self.p["ascii"], to_version2


def _for_scripts(text: str) -> str:
    """Escape two characters that JSON allows in strings, but JavaScript before 2019 does not."""
    if text.isascii():
        return text
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _encoded_for_scripts(body: bytes) -> bytes:
    """Return the same in UTF-8; the search for the first byte is fast and usually sufficient."""
    return _LINE_ENDS.sub(_escaped, body) if b"\xe2" in body else body


def _escaped(line_end: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(line_end[0].decode())


# What is small is encoded at once, since an encoder is fastest when it is called least; only what
# is large is taken apart.


class JsonParts:
    """Writes trees in one version and one encoding."""

    def __init__(
        self, convert: Callable[[Any], Any], encode: Callable[[Any], bytes], most: int = PIECE
    ) -> None:
        """Take what makes a tree plain, and what writes plain data in UTF-8 without white space.

        ``most`` is how many characters are small, more or less.
        """
        self._convert = convert
        self._encode = encode
        self._most = most

    def of(self, root: Any) -> Iterator[bytes]:
        """Yield the parts of a tree: together they are ``encode(convert(root))``."""
        return self._value(Later(root))

    def _value(self, value: Any) -> Iterator[bytes]:
        if length(value, self._most) <= self._most:
            yield self._encode(finished(value, self._convert))
        elif isinstance(value, str):
            yield b'"'
            yield from (self._encode(piece)[1:-1] for piece in slices(value, self._most))
            yield b'"'
        else:
            plain = level(value.node, self._convert) if isinstance(value, Later) else value
            yield from self._container(plain)

    def _container(self, plain: Any) -> Iterator[bytes]:
        """Yield the parts of an object or a list that is too large to be encoded at once."""
        begin, end = (b"{", b"}") if isinstance(plain, dict) else (b"[", b"]")
        yield begin
        comma = b""
        for group in _groups(plain, self._most):
            yield comma
            yield from self._members(group)
            comma = b","
        yield end

    def _members(self, group: Members) -> Iterator[bytes]:
        """Yield successive members, as they are between brackets."""
        if len(group) > 1:
            yield self._encode(finished(group, self._convert))[1:-1]
        elif isinstance(group, dict):
            ((name, value),) = group.items()
            yield self._encode({name: 0})[1:-2]
            yield from self._value(value)
        else:
            yield from self._value(group[0])


def _groups(plain: Members, most: int) -> Iterable[Members]:
    """Yield the members of an object or a list in order, small ones grouped."""
    if isinstance(plain, dict):
        names = iter(plain)
        for values in _runs(plain.values(), most):
            yield {name: value for value, name in zip(values, names, strict=False)}
    else:
        yield from _runs(plain, most)


def _runs(values: Iterable[Any], most: int) -> Iterator[list[Any]]:
    """Yield runs of values up to a size, which only a single value exceeds."""
    run: list[Any] = []
    total = 0
    for value in values:
        grown = length(value, most)
        if run and total + grown > most:
            yield run
            run, total = [], 0
        run.append(value)
        total += grown
    if run:
        yield run
