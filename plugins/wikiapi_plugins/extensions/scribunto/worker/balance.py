"""Matches patterns that hold ``%b``, which no regular expression can.

Alternatives are kept on a list, not on the stack, so no pattern and no text is too deep.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .luapattern import frontier

if TYPE_CHECKING:
    from .luapattern import Item, Pattern

Span = tuple[int, int]
Groups = dict[int, Span]


def match_at(pattern: Pattern, text: str, start: int) -> list[Span] | None:
    """Where the whole match is, then each capture; None where there is no match."""
    todo: list[tuple[int, int, Groups]] = [(0, start, {})]
    while todo:
        index, position, groups = todo.pop()
        while index < len(pattern.items):
            ends, groups = _step(pattern.items[index], text, position, groups)
            if not ends:
                break
            index += 1
            todo += [(index, end, groups) for end in reversed(ends[1:])]
            position = ends[0]
        else:
            spans = [groups[number] for number in range(1, len(pattern.captures) + 1)]
            return [(start, position), *spans]
    return None


def _step(item: Item, text: str, position: int, groups: Groups) -> tuple[list[int], Groups]:
    """Where the item may end, best first, and the captures then."""
    match item.kind:
        case "single":
            return _repeated(item, text, position), groups
        case "open" | "position":
            return [position], {**groups, item.number: (position, position)}
        case "close":
            return [position], {**groups, item.number: (groups[item.number][0], position)}
        case "balance":
            end = _balanced(text, position, item.text[0], item.text[1])
            return ([] if end is None else [end]), groups
        case "back":
            first, last = groups[item.number]
            same = text.startswith(text[first:last], position)
            return ([position + last - first] if same else []), groups
        case "frontier":
            found = re.compile(frontier(item.text)).match(text, position)
            return ([position] if found else []), groups
    return ([position] if position == len(text) else []), groups


def _repeated(item: Item, text: str, position: int) -> list[int]:
    member = re.compile(item.text)
    least = 0 if item.quantifier in ("*", "-", "?") else 1
    most = 1 if item.quantifier in ("", "?") else len(text)
    end = position
    while end - position < most and member.match(text, end):
        end += 1
    ends = list(range(position + least, end + 1))
    return ends if item.quantifier == "-" else ends[::-1]


def _balanced(text: str, position: int, opening: str, closing: str) -> int | None:
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
