"""The grammar of the texts that are searched: pieces that cost something, repeated and nested."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from bench.hostile_texts import TEXTS
from bench.worst.inputs import Text, bounded
from tests.security.vectors import named

_VECTORS = [text for file in ("techniques", "bleach", "blns") for text in named(file).values()]
_LINEAR = list(TEXTS.values())

_PIECES: Mapping[str, Sequence[str]] = json.loads(
    (Path(__file__).parent / "pieces.json").read_text(encoding="utf-8")
)
LEAVES, FRAMES, LUA = (_PIECES[kind] for kind in ("leaves", "frames", "lua"))
"""Pieces without others in them, those into which others are put, and statements of Lua."""


def leaf(chance: random.Random) -> Text:
    """Return a piece without others in it."""
    kind = chance.random()
    if kind < 0.86:
        return chance.choice(LEAVES)
    if kind < 0.93:
        return chance.choice(_VECTORS)[:2000]
    size = int(10 ** chance.uniform(0, 3.3))
    return chance.choice(_LINEAR)(size)


def piece(chance: random.Random, depth: int = 0) -> Text:
    """Return a random text of a few levels."""
    kind = chance.random()
    if depth > 3 or kind < 0.25:
        return leaf(chance)
    if kind < 0.55:
        return ["*", int(10 ** chance.uniform(0.3, 4.5 - depth)), piece(chance, depth + 1)]
    if kind < 0.8:
        count = 1 if chance.random() < 0.5 else int(10 ** chance.uniform(0, 3))
        return ["^", count, chance.choice(FRAMES), piece(chance, depth + 1)]
    return ["+", *(piece(chance, depth + 1) for _ in range(chance.randint(2, 4)))]


def text(chance: random.Random) -> Text:
    """Return a random text, of which a piece is repeated.

    It has up to 2 MB, but mostly less, so that many can be sent.
    """
    made = piece(chance)
    if chance.random() < 0.5:
        made = ["*", int(10 ** chance.uniform(1, 4.5)), made]
    return bounded(made, int(10 ** chance.triangular(3, 6.3, 4.2)))


@cache
def _series() -> Sequence[Text]:
    """Return texts that have each piece, repeated or nested, and alone or with a long variable."""
    long = ["+", "{{#vardefine:a|", ["*", 3000, "z"], "}}"]
    wide: list[Text] = [["+", long, ["*", 1000, f"{each}\n"]] for each in LEAVES]
    repeated: list[Text] = [["*", 1000, each] for each in LEAVES]
    nested: list[Text] = [["^", 300, each, "{{#var:a}} x"] for each in FRAMES]
    filled: list[Text] = [["^", 1, each, ["*", 20_000, "a, "]] for each in FRAMES]
    return [*repeated, *nested, *(make(4000) for make in _LINEAR), *filled, *wide]


def scan(number: int) -> Text:
    """Return a text of a series of :data:`SERIES` that has each piece in turn."""
    return _series()[number % SERIES]


SERIES = 2 * len(LEAVES) + 2 * len(FRAMES) + len(_LINEAR)
"""The number of different texts of :func:`scan`."""


def lua(chance: random.Random) -> Text:
    """Return the source of a module."""
    statements = [chance.choice(LUA) for _ in range(chance.randint(1, 3))]
    lines: list[Text] = ["+"]
    for each in statements:
        line = each if each.startswith(("for", "while", "local")) else f"local _ = {each}"
        lines.append(["*", chance.choice((1, 1, 10, 100)), f"do {line} end\n"])
    return lines
