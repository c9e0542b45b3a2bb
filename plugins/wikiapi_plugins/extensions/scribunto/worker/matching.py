"""The functions of ``mw.ustring`` that match patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .luapattern import Item, Pattern, compile_pattern, frontier

Value = str | int


def find(text: str, pattern: str, init: int, *, plain: bool) -> tuple[int, int, list[Value]] | None:
    """Return the first and last position of the first match, counted from 1, and its captures."""
    start = _start(text, init)
    if plain:
        index = text.find(pattern, start)
        return None if index < 0 else (index + 1, index + len(pattern), [])
    compiled = compile_pattern(pattern, ascii_only=text.isascii())
    spans = _search(compiled, text, start)
    if spans is None:
        return None
    return spans[0][0] + 1, spans[0][1], _captures(compiled, text, spans)


def match(text: str, pattern: str, init: int) -> list[Value] | None:
    """Return the captures of the first match, or the whole match if there are none."""
    compiled = compile_pattern(pattern, ascii_only=text.isascii())
    spans = _search(compiled, text, _start(text, init))
    if spans is None:
        return None
    return _captures(compiled, text, spans) or [text[spans[0][0] : spans[0][1]]]


def gmatch(text: str, pattern: str) -> tuple[int, list[Value]]:
    """Return the number of values for each match, and the values of all matches.

    The values are the captures, or the whole match if there are none.
    """
    compiled = compile_pattern(pattern, anchors=False, ascii_only=text.isascii())
    out: list[Value] = []
    for spans in _iterate_matches(compiled, text, -1):
        out += _captures(compiled, text, spans) or [text[spans[0][0] : spans[0][1]]]
    return max(len(compiled.captures), 1), out


def gsub(text: str, pattern: str, limit: int) -> tuple[int, int, list[Value]]:
    """Return the number of captures, the number of matches, and the pieces of the text.

    The pieces are, for each match, the text before it, the match and its captures; and finally the
    text after the last match.
    """
    compiled = compile_pattern(pattern, ascii_only=text.isascii())
    out: list[Value] = []
    count = position = 0
    for spans in _iterate_matches(compiled, text, limit):
        first, last = spans[0]
        out += (text[position:first], text[first:last], *_captures(compiled, text, spans))
        position = last
        count += 1
    out.append(text[position:])
    return len(compiled.captures), count, out


def split(text: str, pattern: str, *, plain: bool) -> list[str]:
    """Return the pieces of a text between matches; empty matches separate single characters."""
    out: list[str] = []
    position = 0
    while True:
        span = find(text, pattern, position + 1, plain=plain)
        if span is None:
            return [*out, text[position:]]
        first, last = span[0] - 1, span[1]
        if last > first:
            out.append(text[position:first])
            position = last
            continue
        out.append(text[position : first + 1])
        position = first + 1
        if position >= len(text):
            return out


def _start(text: str, init: int) -> int:
    if init < 0:
        return max(len(text) + init, 0)
    return min(max(init - 1, 0), len(text))


def _iterate_matches(pattern: Pattern, text: str, limit: int) -> Iterator[list[Span]]:
    """Yield the spans of successive matches.

    As in Lua 5.1, an empty match may directly follow another match.
    """
    position = 0
    while limit and position <= len(text):
        spans = _search(pattern, text, position)
        if spans is None:
            return
        yield spans
        limit -= 1
        first, last = spans[0]
        position = last if last > first else last + 1
        if pattern.anchored:
            return


def _search(pattern: Pattern, text: str, start: int) -> list[Span] | None:
    if pattern.regex is not None:
        search = pattern.regex.match if pattern.anchored else pattern.regex.search
        match = search(text, start)
        return None if match is None else [match.span(n) for n in range(len(pattern.captures) + 1)]
    for position in range(start, start + 1 if pattern.anchored else len(text) + 1):
        spans = match_at(pattern, text, position)
        if spans is not None:
            return spans
    return None


def _captures(pattern: Pattern, text: str, spans: list[Span]) -> list[Value]:
    return [
        first + 1 if is_position else text[first:last]
        for is_position, (first, last) in zip(pattern.captures, spans[1:], strict=True)
    ]


# The alternatives for backtracking are in a list, because recursion would have a limited depth.

Span = tuple[int, int]
Groups = dict[int, Span]


def match_at(pattern: Pattern, text: str, start: int) -> list[Span] | None:
    """Return the spans of the whole match and of each capture, or ``None``.

    This is the matcher for patterns with ``%b``, which cannot be regular expressions.
    """
    alternatives: list[tuple[int, int, Groups]] = [(0, start, {})]
    while alternatives:
        index, position, groups = alternatives.pop()
        while index < len(pattern.items):
            ends, groups = _step(pattern.items[index], text, position, groups)
            if not ends:
                break
            index += 1
            alternatives += [(index, end, groups) for end in reversed(ends[1:])]
            position = ends[0]
        else:
            spans = [groups[number] for number in range(1, len(pattern.captures) + 1)]
            return [(start, position), *spans]
    return None


def _step(item: Item, text: str, position: int, groups: Groups) -> tuple[list[int], Groups]:
    """Return the possible ends of an item, in order of preference, and the captures so far."""
    match item.kind:
        case "single":
            return _repetition_ends(item, text, position), groups
        case "open" | "position":
            return [position], {**groups, item.number: (position, position)}
        case "close":
            return [position], {**groups, item.number: (groups[item.number][0], position)}
        case "balance":
            end = _balanced_end(text, position, item.text[0], item.text[1])
            return ([] if end is None else [end]), groups
        case "back":
            first, last = groups[item.number]
            same = text.startswith(text[first:last], position)
            return ([position + last - first] if same else []), groups
        case "frontier":
            match = re.compile(frontier(item.text)).match(text, position)
            return ([position] if match else []), groups
    return ([position] if position == len(text) else []), groups


def _repetition_ends(item: Item, text: str, position: int) -> list[int]:
    member = re.compile(item.text)
    minimum = 0 if item.quantifier in ("*", "-", "?") else 1
    maximum = 1 if item.quantifier in ("", "?") else len(text)
    end = position
    while end - position < maximum and member.match(text, end):
        end += 1
    ends = list(range(position + minimum, end + 1))
    return ends if item.quantifier == "-" else ends[::-1]


def _balanced_end(text: str, position: int, opening: str, closing: str) -> int | None:
    if text[position : position + 1] != opening:
        return None
    depth = 1
    for index in range(position + 1, len(text)):
        if text[index] == closing:
            depth -= 1
            if not depth:
                return index + 1
        elif text[index] == opening:
            depth += 1
    return None
