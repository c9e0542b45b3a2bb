"""Parameters decoded as PHP does it, since that is what clients were written against.

The last of repeated names wins, ``name[]`` makes an array, ``+`` is a space, and dots and spaces in
names become underscores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from wikiapi.http.errors import too_large

_NOT_IN_NAMES = str.maketrans(" .[", "___")
_SLICE = 65_536
"""Bytes that are percent-decoded at once: it takes up to eighty times their memory."""


@dataclass(slots=True)
class Parameters:
    """The parameters of a request while they are collected.

    A byte that is not UTF-8 stays in a value as a lone surrogate, so that the value's reader can
    replace it and warn; in a name it is replaced at once.
    """

    most: int
    values: dict[str, str] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    count: int = 0

    def add(self, name: str, value: str) -> None:
        """Set a parameter over any earlier one of its name.

        Raises:
            Refused: with 413, there are more fields than ``most``.
        """
        self.count += 1
        if self.count > self.most:
            raise too_large("more fields")
        known, is_array = php_name(name)
        if is_array:
            self.values.pop(known, None)
            self.arrays.add(known)
        elif known:
            self.arrays.discard(known)
            self.values[known] = value

    def add_urlencoded(self, text: str) -> None:
        """Add the fields of a query string or form; ``text`` has one character for each byte."""
        for pair in text.split("&", self.most + 1):
            if pair:
                name, _, value = pair.partition("=")
                self.add(name if name.isidentifier() else decode(name), decode(value))


def decode(encoded: str) -> str:
    """A percent-encoded text, given one character for each byte."""
    if "+" in encoded:
        encoded = encoded.replace("+", " ")
    if "%" in encoded:
        return to_text(b"".join(_unquoted(encoded.encode("latin-1"))))
    return encoded if encoded.isascii() else to_text(encoded.encode("latin-1"))


def _unquoted(data: bytes) -> Iterator[bytes]:
    """Percent-decode a text slice by slice, none of which ends within an escape."""
    start = 0
    while start < len(data):
        end = start + _SLICE
        if end < len(data) and (escape := data.rfind(b"%", end - 2, end)) >= 0:
            end = escape
        yield unquote_to_bytes(data[start:end])
        start = end


def to_text(data: bytes) -> str:
    """Bytes as UTF-8; each one that is not becomes a lone surrogate."""
    return data.decode("utf-8", "surrogateescape")


def php_name(name: str) -> tuple[str, bool]:
    """A parameter's name as PHP changes it, and whether its value goes into an array."""
    if name.isidentifier() and name.isascii():
        return name, False
    name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace").lstrip(" ")
    head, bracket, rest = name.partition("[")
    if bracket and head and "]" in rest:
        return head.translate(_NOT_IN_NAMES), True
    return name.translate(_NOT_IN_NAMES), False
