"""Texts that make a regular expression go back as often as it can, from its own parse tree.

Each repeat is attacked: what leads to it, once or before each piece; pieces that its body takes,
above all such as the neighbours take too; and an end that nothing takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

# ``_constants`` and ``_parser`` are what ``re`` itself reads patterns with.
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

Nodes = Iterable[tuple[Any, Any]]

LONG = 40
"""A repeat of fewer times than this costs no more than that."""
_ENDS = ("", "\x01", "\n", "a", "<")
_COMMON = " \n\ta0A_é-.:;,=/<>&\"'[]{}|()#*%"
_MAX_CHARACTERS = 14
_REPEATS = {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}
_CATEGORIES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def attacks(text: str | bytes, flags: int) -> list[Callable[[int], str]]:
    """Return makers of texts of a given length; empty if nothing in the pattern repeats."""
    tree = sre_parser.parse(text, flags & ~re.DEBUG)
    alphabet = "".join(dict.fromkeys("".join(_literals(tree)) + _COMMON))
    made: dict[tuple[str, str, str], None] = {}
    for lead, body, follow in _repeats(tree, [], []):
        bodies = list(_samples(body, alphabet, _MAX_CHARACTERS))
        leads = list(_samples(lead, alphabet, 2))
        follows = list(_samples(follow, alphabet, 2))
        for before in dict.fromkeys(("", *leads)):
            for end in dict.fromkeys((*_ENDS, *(f"{follow}\x01" for follow in follows))):
                made.update({(before, piece, end): None for piece in bodies if piece})
        for before in leads:
            # Many beginnings, of which each looks through all that follows.
            pieces = [before, *(before + piece for piece in bodies)]
            pieces += [before + piece + after for piece in bodies[:3] for after in follows]
            made.update({("", piece, end): None for piece in pieces if piece for end in _ENDS[:2]})
    return [_maker(*parts) for parts in made]


def _maker(before: str, piece: str, end: str) -> Callable[[int], str]:
    def make(size: int) -> str:
        return before + piece * (size // len(piece)) + end

    return make


def _literals(nodes: Nodes) -> Iterator[str]:
    """Yield the characters in a pattern, including the ends of ranges."""
    for kind, value in nodes:
        if kind in {sre.LITERAL, sre.NOT_LITERAL}:
            yield chr(value)
        elif kind is sre.RANGE:
            yield from map(chr, value)
        elif kind is sre.IN:
            yield from _literals(value)
        else:
            for branch in _inner(kind, value):
                yield from _literals(branch)


def _inner(kind: Any, value: Any) -> list[Any]:
    """Return the nested nodes of a node."""
    if kind in _REPEATS:
        return [value[2]]
    if kind is sre.SUBPATTERN:
        return [value[3]]
    if kind is sre.ATOMIC_GROUP:
        return [value]
    if kind is sre.BRANCH:
        return list(value[1])
    if kind in {sre.ASSERT, sre.ASSERT_NOT}:
        return [value[1]]
    if kind is sre.GROUPREF_EXISTS:
        return [branch for branch in value[1:] if branch is not None]
    return []


def _repeats(
    nodes: Nodes, lead: list[Any], follow: list[Any]
) -> Iterator[tuple[list[Any], list[Any], list[Any]]]:
    """Yield each long repeat: the nodes before it, its body, and the nodes after it."""
    listed = list(nodes)
    for index, (kind, value) in enumerate(listed):
        before, after = lead + listed[:index], listed[index + 1 :] + follow
        if kind in _REPEATS and value[1] > LONG:
            yield before, list(value[2]), after
        for branch in _inner(kind, value):
            yield from _repeats(branch, before, after)


def _samples(nodes: Nodes, alphabet: str, most: int) -> Iterator[str]:
    """Yield texts that the nodes match, with the same choice everywhere."""
    seen = set()
    for number in range(most):
        text = _sample(nodes, alphabet, number)
        if text not in seen:
            seen.add(text)
            yield text


def _sample(nodes: Nodes, alphabet: str, number: int) -> str:
    out = []
    for kind, value in nodes:
        if kind in {sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN, sre.RANGE}:
            members = [one for one in alphabet if _takes(kind, value, one)]
            if kind is sre.LITERAL:
                members = [chr(value)]
            out.append(members[number % len(members)] if members else "")
        elif kind in _REPEATS:
            # Every other sample has what may be missing.
            times = max(value[0], number % 2) if value[1] else 0
            out.append(
                _sample(value[2], alphabet, number // 2 if value[0] == 0 else number) * times
            )
        elif kind in {sre.ASSERT, sre.ASSERT_NOT, sre.AT, sre.GROUPREF}:
            continue
        else:
            branches = _inner(kind, value)
            out.append(_sample(branches[number % len(branches)], alphabet, number))
    return "".join(out)


def _takes(kind: Any, value: Any, character: str) -> bool:
    code = ord(character)
    if kind is sre.ANY:
        return character != "\n"
    if kind is sre.LITERAL:
        return bool(code == value)
    if kind is sre.NOT_LITERAL:
        return bool(code != value)
    if kind is sre.RANGE:
        return bool(value[0] <= code <= value[1])
    if kind is sre.CATEGORY:
        return re.match(_CATEGORIES[value], character) is not None
    negated = value[0][0] is sre.NEGATE
    return any(_takes(*item, character) for item in value[negated:]) is not negated
