"""The Python part of ``mw.ustring``. Texts from Lua are ``bytes``."""

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
"""The largest number of values that a function may return to Lua."""


class UnicodeLibrary:
    """The functions of ``mw.ustring`` for one Lua state."""

    def __init__(self, make_table: TableMaker) -> None:
        """Store ``make_table``, which creates tables in that state."""
        self._make_table = make_table

    def functions(self) -> dict[bytes, Callable[..., Any]]:
        """Return the functions by their names in Lua."""
        functions = {name.encode(): getattr(self, name) for name in _NAMES}
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            functions[f"to{form}".encode()] = self._normaliser(form)
        return functions

    @staticmethod
    def isutf8(text: bytes) -> bool:
        """Return whether the text is valid UTF-8."""
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    @staticmethod
    def len(text: bytes) -> int | None:
        """Return the number of code points, or ``None`` if the text is not valid UTF-8."""
        try:
            return len(text.decode("utf-8"))
        except UnicodeDecodeError:
            return None

    @staticmethod
    def sub(text: bytes, first: int, last: int) -> bytes:
        """Return a substring by code points, counted from 1, or from the end if negative."""
        decoded = _decode(text)
        return decoded[slice(*_span(decoded, first, last))].encode("utf-8")

    @staticmethod
    def byteoffset(text: bytes, position: int, start: int) -> int | None:
        """Return the byte offset of a code point, counted from the one at or after ``start``."""
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
        numbers = _code_points(text, first, last)
        if len(numbers) > _MAX_VALUES:
            raise ValueError("string slice too long")
        return tuple(numbers)

    def codepoints(self, text: bytes, first: int, last: int) -> object:
        """Return the code points of a range as a table."""
        return self._make_table(_code_points(text, first, last))

    @staticmethod
    def char(*code_points: object) -> bytes:
        """Return the text that consists of code points."""
        return "".join(map(_character, code_points)).encode("utf-8")

    @staticmethod
    def upper(text: bytes) -> bytes:
        """Return the text in upper case."""
        return _decode(text).upper().encode("utf-8")

    @staticmethod
    def lower(text: bytes) -> bytes:
        """Return the text in lower case."""
        return _decode(text).lower().encode("utf-8")

    @staticmethod
    def _normaliser(form: Any) -> Callable[[bytes], bytes | None]:
        def normalise(text: bytes) -> bytes | None:
            try:
                return unicodedata.normalize(form, text.decode("utf-8")).encode("utf-8")
            except UnicodeDecodeError:
                return None

        return normalise

    @staticmethod
    def find(text: bytes, pattern: bytes, init: int, plain: bool) -> Any:
        """Return the range of the first match, and its captures."""
        span = matching.find(_decode(text), _decode(pattern), init, plain=plain)
        if span is None:
            return None
        first, last, captures = span
        return (first, last, *map(_encode, captures))

    @staticmethod
    def match(text: bytes, pattern: bytes, init: int) -> Any:
        """Return the captures of the first match, or the whole match."""
        captures = matching.match(_decode(text), _decode(pattern), init)
        return None if captures is None else tuple(map(_encode, captures))

    def gmatch(self, text: bytes, pattern: bytes) -> tuple[int, object]:
        """Return the number of values for each match, and a table of the values of all matches."""
        size, matches = matching.gmatch(_decode(text), _decode(pattern))
        return size, self._make_table(list(map(_encode, matches)))

    def split(self, text: bytes, pattern: bytes, plain: bool) -> object:
        """Return the pieces of a text as a table."""
        pieces = matching.split(_decode(text), _decode(pattern), plain=plain)
        return self._make_table([piece.encode("utf-8") for piece in pieces])

    def gsub(self, text: bytes, pattern: bytes, limit: int) -> tuple[int, int, object]:
        """Return the result of :func:`matching.gsub`, with the texts as a table."""
        size, count, pieces = matching.gsub(_decode(text), _decode(pattern), limit)
        return size, count, self._make_table(list(map(_encode, pieces)))


def _decode(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(NOT_UTF8) from None


def _code_points(text: bytes, first: int, last: int) -> list[int]:
    decoded = _decode(text)
    return list(map(ord, decoded[slice(*_span(decoded, first, last))]))


def _encode(value: str | int) -> bytes | int:
    return value.encode("utf-8") if isinstance(value, str) else value


def _span(text: str, first: int, last: int) -> tuple[int, int]:
    size = len(text)
    start = max(size + first, 0) if first < 0 else max(first - 1, 0)
    end = size + last + 1 if last < 0 else min(last, size)
    return start, max(end, start)


def _character(code_point: object) -> str:
    if not isinstance(code_point, int | float) or isinstance(code_point, bool):
        raise TypeError("bad argument to 'char' (number expected)")
    number = int(code_point)
    if not 0 <= number <= 0x10FFFF or 0xD800 <= number < 0xE000:
        raise ValueError("bad argument to 'char' (value out of range)")
    return chr(number)
