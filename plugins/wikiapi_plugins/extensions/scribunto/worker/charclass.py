"""The character classes of Lua patterns over Unicode, as ranges for a regular expression."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_MAX = 0x10FFFF
_ASCII = ((0x0, 0x80),)
_SCANNED = (
    (0x0, 0x3400),
    (0xA000, 0xAC00),
    (0xD7A4, 0xE000),
    (0xF900, 0x17000),
    (0x18CD6, 0x20000),
    (0xE0000, 0xE0200),
)
"""Where characters of many kinds are; the blocks between hold letters without case, or nothing."""
_LETTER_BLOCKS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0x17000, 0x187F7),
    (0x18800, 0x18CD5),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2EBE0),
    (0x2EBF0, 0x2EE5D),
    (0x2F800, 0x2FA1D),
    (0x30000, 0x323AF),
)

Ranges = list[tuple[int, int]]

_CATEGORIES = {
    "a": ("L",),
    "c": ("Cc",),
    "d": ("Nd",),
    "l": ("Ll",),
    "p": ("P",),
    "s": ("Z",),
    "u": ("Lu",),
    "w": ("L", "Nd"),
}
_FIXED: dict[str, Ranges] = {
    "x": [
        (0x30, 0x39),
        (0x41, 0x46),
        (0x61, 0x66),
        (0xFF10, 0xFF19),
        (0xFF21, 0xFF26),
        (0xFF41, 0xFF46),
    ],
    "z": [(0, 0)],
}
_BLANKS: Ranges = [(9, 13)]


@cache
def class_ranges(letter: str, *, ascii_only: bool = False) -> str | None:
    """The inside of a regular expression's class for ``%a`` and the like; None for no class.

    Upper-case letters stand for the characters that are not in the class. ``ascii_only`` gives the
    ASCII part of the class, which compiles in a fraction of the time: most have hundreds of ranges.
    """
    ranges = _ranges(letter.lower(), ascii_only=ascii_only)
    if ranges is None:
        return None
    return written(_complement(ranges) if letter.isupper() else ranges)


def _ranges(letter: str, *, ascii_only: bool) -> Ranges | None:
    if letter in _FIXED:
        return _FIXED[letter]
    categories = _CATEGORIES.get(letter)
    if categories is None:
        return None
    scanned = _ASCII if ascii_only else _SCANNED
    found = [run for name, run in _scan(scanned) if name.startswith(categories)]
    if "L" in categories and not ascii_only:
        found += _LETTER_BLOCKS
    if letter == "s":
        found += _BLANKS
    return _merged(found)


@cache
def _scan(blocks: tuple[tuple[int, int], ...]) -> list[tuple[str, tuple[int, int]]]:
    """Runs of characters of one category."""
    runs: list[tuple[str, tuple[int, int]]] = []
    for first, end in blocks:
        start, name = first, unicodedata.category(chr(first))
        for code in range(first + 1, end):
            category = unicodedata.category(chr(code))
            if category != name:
                runs.append((name, (start, code - 1)))
                start, name = code, category
        runs.append((name, (start, end - 1)))
    return runs


def _merged(ranges: Ranges) -> Ranges:
    out: Ranges = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out


def _complement(ranges: Ranges) -> Ranges:
    out, start = [], 0
    for first, last in _merged(ranges):
        if first > start:
            out.append((start, first - 1))
        start = last + 1
    return [*out, (start, _MAX)] if start <= _MAX else out


def written(ranges: Ranges) -> str:
    """Ranges as the inside of a class."""
    return "".join(
        _character(first) if first == last else f"{_character(first)}-{_character(last)}"
        for first, last in ranges
    )


def _character(code: int) -> str:
    # As itself, which is read faster than an escape.
    return re.escape(chr(code)) if code < 0x80 else chr(code)
