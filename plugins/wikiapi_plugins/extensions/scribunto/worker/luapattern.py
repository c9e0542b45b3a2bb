"""Lua patterns over code points, compiled to regular expressions.

Every item of a pattern has an equivalent in a regular expression, except ``%b``: patterns that
contain it are matched by :func:`matching.match_at`.
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
"""The approximate maximum size of the cached patterns in bytes."""
_BYTES_PER_ITEM = 500


class PatternError(ValueError):
    """A malformed pattern; the text of the exception is that of Lua's error."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a pattern.

    ``kind`` is ``single`` (``text`` is a regular expression for the character class, ``quantifier``
    that of Lua), ``open``, ``position``, ``close`` or ``back`` (``number`` is that of the capture),
    ``balance`` (``text`` is the pair of characters), ``frontier`` (``text`` is the set) or ``end``.
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
    """A parsed pattern. ``captures`` states for each capture whether it is a position."""

    items: tuple[Item, ...]
    captures: tuple[bool, ...]
    anchored: bool
    regex: re.Pattern[str] | None


class _PatternCache:
    """A cache of compiled patterns, which is cleared when it exceeds its maximum size.

    The size must be limited because a character class with letters outside ASCII takes kilobytes,
    a pattern may contain thousands of these, and a process serves many pages.
    """

    def __init__(self) -> None:
        """Create an empty cache."""
        self._patterns: dict[tuple[str, bool, bool], Pattern] = {}
        self._size = 0

    def get(self, key: tuple[str, bool, bool]) -> Pattern | None:
        """Return a cached pattern, or ``None``."""
        return self._patterns.get(key)

    def add(self, key: tuple[str, bool, bool], pattern: Pattern) -> None:
        """Cache a pattern; clear the cache first if it is full."""
        size = (
            _BYTES_PER_ITEM
            + len(key[0])
            + sys.getsizeof(pattern.regex)
            + _BYTES_PER_ITEM * len(pattern.items)
        )
        if self._size + size > MAX_BYTES:
            self._patterns.clear()
            # The module re has its own cache.
            re.purge()
            self._size = 0
        if size <= MAX_BYTES:
            self._patterns[key] = pattern
            self._size += size


_cache = _PatternCache()


def compile_pattern(pattern: str, *, anchors: bool = True, ascii_only: bool = False) -> Pattern:
    """Return a compiled pattern, from the cache if possible.

    Args:
        pattern: the Lua pattern.
        anchors: whether ``^`` at the start is an anchor.
        ascii_only: compile only for ASCII texts, which is much faster.

    Raises:
        PatternError: the pattern is malformed.
    """
    key = pattern, anchors, ascii_only
    compiled = _cache.get(key)
    if compiled is None:
        anchored = anchors and pattern.startswith("^")
        reader = _Reader(pattern, 1 if anchored else 0, ascii_only)
        while reader.position < len(pattern):
            _read_item(reader)
        if reader.opened:
            raise PatternError("unfinished capture")
        items = tuple(reader.items)
        balanced = any(item.kind == "balance" for item in items)
        regex = (
            None if balanced else re.compile("".join(_as_regex(item) for item in items), re.DOTALL)
        )
        compiled = Pattern(items, tuple(reader.captures), anchored, regex)
        _cache.add(key, compiled)
    return compiled


def _read_item(reader: _Reader) -> None:
    character = reader.peek()
    if character == "(":
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
        back = int(reader.peek(1))
        if not 1 <= back <= len(reader.captures) or back in reader.opened:
            raise PatternError("invalid capture index")
        reader.position += 2
        reader.items.append(Item("back", number=back))
    else:
        if reader.peek() == "[":
            single = _read_set(reader)
        else:
            character = reader.take()
            if character == ".":
                single = "[\\s\\S]"
            else:
                single = f"[{_escape(reader) if character == '%' else _literal(character)}]"
        quantifier = reader.take() if reader.peek() in _QUANTIFIERS and reader.peek() else ""
        reader.items.append(Item("single", single, quantifier))


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


def _escape(reader: _Reader) -> str:
    """Read what follows ``%``, a character class or a literal character."""
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
    is_first = True
    while is_first or reader.peek() != "]":
        is_first = False
        parts.append(_read_member(reader))
    reader.position += 1
    members = "".join(parts)
    if not members:
        return "[\\s\\S]" if negated else "[^\\s\\S]"
    return f"[{'^' if negated else ''}{members}]"


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
    """Return the regular expression of ``%f``; both ends of the text count as NUL."""
    if re.match(members, "\0"):
        return f"(?<!{members})(?<!\\A)(?:(?={members})|\\Z)"
    return f"(?<!{members})(?={members})"


_MAX_CODE_POINT = 0x10FFFF
_ASCII_BLOCKS = ((0x0, 0x80),)
_MIXED_BLOCKS = (
    (0x0, 0x3400),
    (0xA000, 0xAC00),
    (0xD7A4, 0xE000),
    (0xF900, 0x17000),
    (0x18CD6, 0x20000),
    (0xE0000, 0xE0200),
)
"""Blocks with several categories; those between contain caseless letters or are unassigned."""
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
_EXPLICIT_CLASSES: dict[str, Ranges] = {
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
_CONTROL_SPACES: Ranges = [(9, 13)]


@cache
def class_ranges(letter: str, *, ascii_only: bool = False) -> str | None:
    """Return the members of a class such as ``%a`` for a set in a regular expression.

    An upper-case letter is the complement of the class. With ``ascii_only``, the result is correct
    for ASCII characters only, but compiles much faster: most classes have hundreds of ranges.
    ``None`` if the letter is not that of a class.
    """
    ranges = _ranges(letter.lower(), ascii_only=ascii_only)
    if ranges is None:
        return None
    return "".join(
        _character(first) if first == last else f"{_character(first)}-{_character(last)}"
        for first, last in (_complement(ranges) if letter.isupper() else ranges)
    )


def _ranges(letter: str, *, ascii_only: bool) -> Ranges | None:
    if letter in _EXPLICIT_CLASSES:
        return _EXPLICIT_CLASSES[letter]
    categories = _CATEGORIES.get(letter)
    if categories is None:
        return None
    blocks = _ASCII_BLOCKS if ascii_only else _MIXED_BLOCKS
    ranges = [run for name, run in _scan(blocks) if name.startswith(categories)]
    if "L" in categories and not ascii_only:
        ranges += _LETTER_BLOCKS
    if letter == "s":
        ranges += _CONTROL_SPACES
    return _merged(ranges)


@cache
def _scan(blocks: tuple[tuple[int, int], ...]) -> list[tuple[str, tuple[int, int]]]:
    """Return runs of consecutive characters with the same category."""
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
    return [*out, (start, _MAX_CODE_POINT)] if start <= _MAX_CODE_POINT else out


def _character(code: int) -> str:
    # A literal character compiles faster than an escape.
    return re.escape(chr(code)) if code < 0x80 else chr(code)
