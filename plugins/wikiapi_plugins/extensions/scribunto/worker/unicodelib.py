"""What Lua calls for ``mw.ustring``: texts are bytes here, as Lua has them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from . import matching
from .values import TableMaker

_NAMES = (
    *("isutf8", "len", "sub", "byteoffset", "codepoint", "codepoints", "char"),
    *("upper", "lower", "find", "match", "gmatch", "gsub", "split"),
)
NOT_UTF8 = "string is not UTF-8"
_MAX_VALUES = 7900
"""Values that a function may return to Lua."""


class UnicodeLibrary:
    """The functions, for one Lua state."""

    def __init__(self, make_table: TableMaker) -> None:
        """Make tables of that state with ``make_table``."""
        self._table = make_table

    def functions(self) -> dict[bytes, Callable[..., Any]]:
        """Return the functions by their names in Lua."""
        found = {name.encode(): getattr(self, name) for name in _NAMES}
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            found[f"to{form}".encode()] = self._normaliser(form)
        return found

    @staticmethod
    def isutf8(text: bytes) -> bool:
        """Return whether the bytes are UTF-8."""
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    @staticmethod
    def len(text: bytes) -> int | None:
        """Number of code points; None for what is not UTF-8."""
        try:
            return len(text.decode("utf-8"))
        except UnicodeDecodeError:
            return None

    @staticmethod
    def sub(text: bytes, first: int, last: int) -> bytes:
        """Return the code points of a range, counted from 1, or from the end if negative."""
        decoded = _decoded(text)
        return decoded[slice(*_span(decoded, first, last))].encode("utf-8")

    @staticmethod
    def byteoffset(text: bytes, position: int, start: int) -> int | None:
        """Return the byte at which a code point begins, counted from that at or after a byte."""
        index = start + len(text) if start < 0 else start - 1
        if not 0 <= index <= len(text):
            return None
        starts = [n for n, byte in enumerate(text) if byte & 0xC0 != 0x80] + [len(text)]
        at = next(n for n, offset in enumerate(starts) if offset >= index)
        is_start = starts[at] == index
        target = at + position - 1 if position > 0 else at + position
        if position == 0:
            target = at if is_start else at - 1
        return starts[target] + 1 if 0 <= target < len(starts) else None

    @staticmethod
    def codepoint(text: bytes, first: int, last: int) -> tuple[int, ...]:
        """Return the code points of a range."""
        found = _codes(text, first, last)
        if len(found) > _MAX_VALUES:
            raise ValueError("string slice too long")
        return tuple(found)

    def codepoints(self, text: bytes, first: int, last: int) -> object:
        """Return the code points like :meth:`codepoint`, in a table."""
        return self._table(_codes(text, first, last))

    @staticmethod
    def char(*codes: object) -> bytes:
        """Return the text of code points."""
        return "".join(map(_character, codes)).encode("utf-8")

    @staticmethod
    def upper(text: bytes) -> bytes:
        """Return the text in upper case."""
        return _decoded(text).upper().encode("utf-8")

    @staticmethod
    def lower(text: bytes) -> bytes:
        """Return the text in lower case."""
        return _decoded(text).lower().encode("utf-8")

    @staticmethod
    def _normaliser(form: Any) -> Callable[[bytes], bytes | None]:
        def normalised(text: bytes) -> bytes | None:
            try:
                return unicodedata.normalize(form, text.decode("utf-8")).encode("utf-8")
            except UnicodeDecodeError:
                return None

        return normalised

    @staticmethod
    def find(text: bytes, pattern: bytes, init: int, plain: bool) -> Any:
        """Return the result of ``string.find``."""
        found = matching.find(_decoded(text), _decoded(pattern), init, plain=plain)
        if found is None:
            return None
        first, last, captures = found
        return (first, last, *map(_encoded, captures))

    @staticmethod
    def match(text: bytes, pattern: bytes, init: int) -> Any:
        """Return the result of ``string.match``."""
        found = matching.match(_decoded(text), _decoded(pattern), init)
        return None if found is None else tuple(map(_encoded, found))

    def gmatch(self, text: bytes, pattern: bytes) -> tuple[int, object]:
        """Return the number of values of each match, and a table of all of them."""
        size, found = matching.gmatch(_decoded(text), _decoded(pattern))
        return size, self._table(list(map(_encoded, found)))

    def split(self, text: bytes, pattern: bytes, plain: bool) -> object:
        """Return the pieces of a text, in a table."""
        found = matching.split(_decoded(text), _decoded(pattern), plain=plain)
        return self._table([piece.encode("utf-8") for piece in found])

    def gsub(self, text: bytes, pattern: bytes, limit: int) -> tuple[int, int, object]:
        """Return the result of :func:`matching.gsub`, the last value as a table."""
        size, count, found = matching.gsub(_decoded(text), _decoded(pattern), limit)
        return size, count, self._table(list(map(_encoded, found)))


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(NOT_UTF8) from None


def _codes(text: bytes, first: int, last: int) -> list[int]:
    decoded = _decoded(text)
    return list(map(ord, decoded[slice(*_span(decoded, first, last))]))


def _encoded(value: str | int) -> bytes | int:
    return value.encode("utf-8") if isinstance(value, str) else value


def _span(text: str, first: int, last: int) -> tuple[int, int]:
    size = len(text)
    start = max(size + first, 0) if first < 0 else max(first - 1, 0)
    end = size + last + 1 if last < 0 else min(last, size)
    return start, max(end, start)


def _character(code: object) -> str:
    if not isinstance(code, int | float) or isinstance(code, bool):
        raise TypeError("bad argument to 'char' (number expected)")
    number = int(code)
    if not 0 <= number <= 0x10FFFF or 0xD800 <= number < 0xE000:
        raise ValueError("bad argument to 'char' (value out of range)")
    return chr(number)
