"""Converts LaTeX to MathML with math-core, if it is installed."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from math_core import LatexToMathML


class FormulaError(Exception):
    """A formula that cannot be shown; ``key`` and ``params`` are the message with the reason."""

    def __init__(self, key: str, *params: str) -> None:
        """Store the reason."""
        super().__init__(key, *params)
        self.key = key
        self.params = params


class RejectedFormula(FormulaError):
    """A formula that the converter rejects; the only parameter is the converter's reason."""


@cache
def _converter() -> LatexToMathML | None:
    try:
        from math_core import LatexToMathML
    except ImportError:
        return None
    return LatexToMathML(xml_namespace=True, fancy_error=False)


def is_available() -> bool:
    """Return whether formulas can be converted to MathML."""
    return _converter() is not None


def to_mathml(tex: str, *, block: bool) -> str:
    """Return a formula as MathML.

    Args:
        tex: LaTeX.
        block: whether it stands on a line of its own.

    Raises:
        FormulaError: the formula cannot be read, or would take too long.
    """
    _check(tex)
    converter = _converter()
    if converter is None:
        raise RuntimeError("math-core is not installed")
    from math_core import LatexError

    try:
        return converter.convert_with_local_state(tex, displaystyle=block)
    except LatexError as error:
        raise RejectedFormula("", str(error).partition(": ")[2].rstrip(".")) from None


def _check(tex: str) -> None:
    if len(tex) > MAX_CHARACTERS:
        raise FormulaError("math-too-long")
    if defines_commands(tex):
        raise FormulaError("math-macros")
    if depth(tex) > MAX_DEPTH:
        raise FormulaError("math-too-deep")


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
    """Return whether a formula defines commands, which could multiply nested content."""
    return _DEFINING.search(tex) is not None


def depth(tex: str) -> int:
    """Return the maximum nesting depth of a formula, counting the arguments of each command."""
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
