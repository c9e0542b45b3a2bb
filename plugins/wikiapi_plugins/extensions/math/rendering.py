"""LaTeX to MathML, by math-core where it is installed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from wikiapi_plugins.extensions.math.limits import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    defines_commands,
    depth,
)

if TYPE_CHECKING:
    from math_core import LatexToMathML


class FormulaError(Exception):
    """A formula that cannot be shown; ``key`` and ``params`` are the reason, as a message."""

    def __init__(self, key: str, *params: str) -> None:
        """Keep the reason."""
        super().__init__(key, *params)
        self.key = key
        self.params = params


class RejectedFormula(FormulaError):
    """A formula that the converter cannot read; its own words say why."""


@cache
def _converter() -> LatexToMathML | None:
    try:
        from math_core import LatexToMathML
    except ImportError:
        return None
    return LatexToMathML(xml_namespace=True, fancy_error=False)


def is_available() -> bool:
    """Whether formulas become MathML here."""
    return _converter() is not None


def to_mathml(tex: str, *, block: bool) -> str:
    """A formula as MathML.

    Args:
        tex: LaTeX.
        block: whether it stands on a line of its own.

    Raises:
        FormulaError: it cannot be read, or would cost too much.
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
