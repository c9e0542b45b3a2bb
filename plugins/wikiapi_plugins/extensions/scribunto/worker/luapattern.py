"""Lua patterns over code points, as regular expressions.

What a pattern can say is what a regular expression can, but for ``%b``: patterns with it are
matched step by step (see :mod:`balance`).
"""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass, field
from functools import cache

_QUANTIFIERS = {"*": "*", "+": "+", "-": "*?", "?": "?"}
_MAX_CAPTURES = 32
MAX_BYTES = 16 * 1024 * 1024
"""Bytes of compiled patterns that are cached, about."""
_OF_EACH = 500


class PatternError(ValueError):
    """A pattern that is none; the text is Lua's."""


@dataclass(frozen=True, slots=True)
class Item:
    """One element of a pattern.

    ``kind`` is ``single`` (``text`` a class, ``quantifier`` Lua's), ``open``, ``position``,
    ``close`` and ``back`` (``number`` the capture), ``balance`` (``text`` both characters),
    ``frontier`` or ``end``.
    """

    kind: str
    text: str = ""
    quantifier: str = ""
    number: int = 0


@dataclass(slots=True)
class _Reader:
    pattern: str
    position: int = 0
    ascii_only: bool = False
    items: list[Item] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    captures: list[bool] = field(default_factory=list)

    def peek(self, ahead: int = 0) -> str:
        index = self.position + ahead
        return self.pattern[index] if index < len(self.pattern) else ""

    def take(self) -> str:
        character = self.peek()
        self.position += 1
        return character


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern. ``captures`` has for each whether it is a position."""

    items: tuple[Item, ...]
    captures: tuple[bool, ...]
    anchored: bool
    regex: re.Pattern[str] | None


class _Compiled:
    """The patterns of a process that were compiled, until they take too much memory.

    A class of letters beyond ASCII takes kilobytes, and a pattern may have thousands of them. The
    process serves many pages: what one of them leaves behind must leave room for the others.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._patterns: dict[tuple[str, bool, bool], Pattern] = {}
        self._size = 0

    def get(self, key: tuple[str, bool, bool]) -> Pattern | None:
        """Return a cached pattern."""
        return self._patterns.get(key)

    def keep(self, key: tuple[str, bool, bool], pattern: Pattern) -> None:
        """Keep a pattern, in place of all others if there is no room left."""
        size = _OF_EACH + len(key[0]) + sys.getsizeof(pattern.regex) + _OF_EACH * len(pattern.items)
        if self._size + size > MAX_BYTES:
            self._patterns.clear()
            # The library keeps what it has compiled as well.
            re.purge()
            self._size = 0
        if size <= MAX_BYTES:
            self._patterns[key] = pattern
            self._size += size


_compiled = _Compiled()


def compile_pattern(pattern: str, *, anchors: bool = True, ascii_only: bool = False) -> Pattern:
    """Read a pattern; with ``anchors`` a ``^`` at its start is one.

    With ``ascii_only`` it serves for texts of nothing but ASCII, and is made much faster.

    Raises:
        PatternError: it is malformed.
    """
    key = pattern, anchors, ascii_only
    found = _compiled.get(key)
    if found is None:
        found = _read(pattern, anchors=anchors, ascii_only=ascii_only)
        _compiled.keep(key, found)
    return found


def _read(pattern: str, *, anchors: bool, ascii_only: bool) -> Pattern:
    anchored = anchors and pattern.startswith("^")
    reader = _Reader(pattern, 1 if anchored else 0, ascii_only)
    while reader.position < len(pattern):
        _read_item(reader)
    if reader.opened:
        raise PatternError("unfinished capture")
    items = tuple(reader.items)
    balanced = any(item.kind == "balance" for item in items)
    regex = None if balanced else re.compile(_regex(items), re.DOTALL)
    return Pattern(items, tuple(reader.captures), anchored, regex)


def _read_item(reader: _Reader) -> None:
    character = reader.peek()
    if character == "(":
        _open(reader)
    elif character == ")":
        reader.position += 1
        if not reader.opened:
            raise PatternError("invalid pattern capture")
        reader.items.append(Item("close", number=reader.opened.pop()))
    elif character == "$" and reader.position == len(reader.pattern) - 1:
        reader.position += 1
        reader.items.append(Item("end"))
    elif character == "%" and reader.peek(1) in ("b", "f") and reader.peek(1):
        _read_special(reader)
    elif character == "%" and reader.peek(1).isascii() and reader.peek(1).isdigit():
        _read_back(reader)
    else:
        single = _read_single(reader)
        quantifier = reader.take() if reader.peek() in _QUANTIFIERS and reader.peek() else ""
        reader.items.append(Item("single", single, quantifier))


def _open(reader: _Reader) -> None:
    if len(reader.captures) >= _MAX_CAPTURES:
        raise PatternError("too many captures")
    reader.position += 1
    is_position = reader.peek() == ")"
    reader.captures.append(is_position)
    number = len(reader.captures)
    if is_position:
        reader.position += 1
        reader.items.append(Item("position", number=number))
    else:
        reader.opened.append(number)
        reader.items.append(Item("open", number=number))


def _read_special(reader: _Reader) -> None:
    reader.position += 1
    if reader.take() == "b":
        pair = reader.pattern[reader.position : reader.position + 2]
        if len(pair) < 2:
            raise PatternError("unbalanced pattern")
        reader.position += 2
        reader.items.append(Item("balance", pair))
        return
    if reader.peek() != "[":
        raise PatternError("missing '[' after '%f' in pattern")
    reader.items.append(Item("frontier", _read_set(reader)))


def _read_back(reader: _Reader) -> None:
    number = int(reader.peek(1))
    if not 1 <= number <= len(reader.captures) or number in reader.opened:
        raise PatternError("invalid capture index")
    reader.position += 2
    reader.items.append(Item("back", number=number))


def _read_single(reader: _Reader) -> str:
    if reader.peek() == "[":
        return _read_set(reader)
    character = reader.take()
    if character == ".":
        return "[\\s\\S]"
    return f"[{_escape(reader) if character == '%' else _literal(character)}]"


def _escape(reader: _Reader) -> str:
    """Return the class after ``%``, or a literal character."""
    character = reader.take()
    if not character:
        raise PatternError("malformed pattern (ends with '%')")
    if not (character.isascii() and character.isalpha()):
        return _literal(character)
    ranges = class_ranges(character, ascii_only=reader.ascii_only)
    return _literal(character) if ranges is None else ranges


def _read_set(reader: _Reader) -> str:
    reader.position += 1
    negated = reader.peek() == "^"
    reader.position += negated
    parts: list[str] = []
    first = True
    while first or reader.peek() != "]":
        first = False
        parts.append(_read_member(reader))
    reader.position += 1
    inside = "".join(parts)
    if not inside:
        return "[\\s\\S]" if negated else "[^\\s\\S]"
    return f"[{'^' if negated else ''}{inside}]"


def _read_member(reader: _Reader) -> str:
    character = reader.take()
    if not character:
        raise PatternError("malformed pattern (missing ']')")
    if character == "%":
        return _escape(reader)
    if reader.peek() == "-" and reader.peek(1) not in ("]", ""):
        reader.position += 1
        last = reader.take()
        return f"{_literal(character)}-{_literal(last)}" if character <= last else ""
    return _literal(character)


def _literal(character: str) -> str:
    return re.escape(character) if character.isascii() else character


def _regex(items: tuple[Item, ...]) -> str:
    return "".join(_as_regex(item) for item in items)


def _as_regex(item: Item) -> str:
    match item.kind:
        case "single":
            return item.text + _QUANTIFIERS.get(item.quantifier, "")
        case "open":
            return "("
        case "close":
            return ")"
        case "position":
            return "()"
        case "back":
            return f"(?:\\{item.number})"
        case "frontier":
            return frontier(item.text)
    return "\\Z"


def frontier(members: str) -> str:
    """Return a pattern between a character outside a set and one inside it; NUL is at both ends."""
    if re.match(members, "\0"):
        return f"(?<!{members})(?<!\\A)(?:(?={members})|\\Z)"
    return f"(?<!{members})(?={members})"


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
    """Return the inside of a regular expression's class for ``%a`` and the like, if it is one.

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
    """Return runs of characters of one category."""
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
    """Return ranges as the inside of a class."""
    return "".join(
        _character(first) if first == last else f"{_character(first)}-{_character(last)}"
        for first, last in ranges
    )


def _character(code: int) -> str:
    # As itself, which is read faster than an escape.
    return re.escape(chr(code)) if code < 0x80 else chr(code)
