"""What a formula may cost: its converter is a recursive program that no limit of ours stops."""

from __future__ import annotations

import re

MAX_CHARACTERS = 20_000
MAX_DEPTH = 200

_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|[{}\[\]^_]|\s+|[^\\{}\[\]^_\s]+", re.DOTALL)
_PAIRS = {"}": "{", "]": "[", "\\right": "\\left", "\\end": "\\begin"}
_OPENING = frozenset(_PAIRS.values())
_DEFINING = re.compile(
    r"\\(?:[egx]?def|let|futurelet|(?:re|provide)?newcommand|renewcommand|providecommand"
    r"|DeclareMathOperator|newenvironment)(?![A-Za-z])"
)


def defines_commands(tex: str) -> bool:
    """Whether a formula defines commands: these multiply what is nested."""
    return _DEFINING.search(tex) is not None


def depth(tex: str) -> int:
    """How deeply a formula may be nested at most, counting what each command may take in."""
    opened: dict[str, list[int]] = {opening: [] for opening in _OPENING}
    level = waiting = deepest = 0
    for token in _TOKEN.findall(tex):
        if token in _OPENING:
            opened[token].append(waiting + 1)
            level, waiting = level + waiting + 1, 0
        elif token in _PAIRS:
            kind = opened[_PAIRS[token]]
            level, waiting = level - (kind.pop() if kind else 0), 0
        elif token[0] in "\\^_":
            waiting += 1
        elif not token.isspace():
            waiting = 0
        deepest = max(deepest, level + waiting)
    return deepest
