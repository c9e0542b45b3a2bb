"""Converts SQL literals to values of the store, by the types of its columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from wikiapi.expiry import INFINITY
from wikiapi.store.fields import Column, DateTime, Double, Number, Payload, Timestamp
from wikiapi.timestamps import is_real
from wikiapi.title.interwiki import is_linkable

Converter = Callable[[bytes], Any]

_INTEGER = re.compile(rb"[-+]?[0-9]{1,19}", re.ASCII)
_LARGEST = 2**63 - 1
_DATED = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d+)?", re.ASCII)
_EPOCH = "19700101000000"
_NO_TIME = ("", "0000-00-00 00:00:00")
"""The values of an empty column, and of a date that was never set."""
_ADDRESSES = ("iw_url", "iw_api")
_ESCAPED = re.compile(rb"\\(.)|''", re.DOTALL)
# Letters with a meaning after a backslash; any other character stands for itself.
_ESCAPES = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}


class BadValue(ValueError):
    """A value does not fit its column."""


def converter(column: Column) -> Converter:
    """Return the function that converts values of a column; it raises BadValue."""
    plain = _plain(column)
    if column.null:
        return lambda value: None if value == b"NULL" else plain(value)
    return plain


def _plain(column: Column) -> Converter:
    if isinstance(column, Number):
        return integer
    if isinstance(column, Double):
        return _double
    if isinstance(column, Payload):
        return content
    if isinstance(column, Timestamp | DateTime):
        return _expiry if column.column_name.endswith("_expiry") else _timestamp
    return _address if column.column_name in _ADDRESSES else text


def integer(value: bytes) -> int:
    """Return an integer of at most 64 bits."""
    bare = value[1:-1] if value[:1] == b"'" else value
    if not _INTEGER.fullmatch(bare) or not -_LARGEST <= (number := int(bare)) <= _LARGEST:
        raise BadValue(f"{_shown(value)} is not an integer of 64 bits")
    return number


def text(value: bytes) -> str:
    """Return a text; invalid UTF-8 is replaced by the replacement character."""
    return content(value).decode("utf-8", "replace")


def _address(value: bytes) -> str:
    """Return the URL of an interwiki prefix, or "" if it has none."""
    found = text(value)
    if found and not is_linkable(found):
        raise BadValue(f"{_shown(value)} is neither an http or https address nor a relative one")
    return found


def content(value: bytes) -> bytes:
    """Return the bytes of a quoted string, a hexadecimal literal or a number."""
    if value[:1] == b"_":
        value = value.partition(b" ")[2]
    if value[:1] == b"'":
        inner = value[1:-1]
        escaped = b"\\" in inner or b"'" in inner
        return _ESCAPED.sub(_unescaped, inner) if escaped else inner
    if value[:2] == b"0x":
        return _from_hex(value)
    if value == b"NULL":
        raise BadValue("NULL where a value is required")
    return value


def _from_hex(value: bytes) -> bytes:
    digits = value[2:].decode("ascii")
    return bytes.fromhex(digits if len(digits) % 2 == 0 else f"0{digits}")


def _unescaped(match: re.Match[bytes]) -> bytes:
    char = match[1]
    return b"'" if char is None else _ESCAPES.get(char, char)


def _double(value: bytes) -> float:
    try:
        return float(text(value))
    except ValueError:
        raise BadValue(f"{_shown(value)} is not a number") from None


def _timestamp(value: bytes) -> str:
    """Return the 14 digits of a time, or those of the epoch if it was never set."""
    found = text(value).rstrip("\0")
    return _EPOCH if found in _NO_TIME else _digits(found, value)


def _expiry(value: bytes) -> str:
    """Return 14 digits, or ``infinity`` or "", which both mean that it never expires."""
    found = text(value).rstrip("\0")
    return found if found in ("", INFINITY) else _digits(found, value)


def _digits(found: str, value: bytes) -> str:
    match = _DATED.fullmatch(found)
    digits = "".join(match.groups()) if match else found
    if not is_real(digits):
        raise BadValue(f"{_shown(value)} is not a timestamp")
    return digits


def _shown(value: bytes) -> str:
    return repr(value[:40].decode("utf-8", "replace"))
