"""Arithmetic on PHP's numbers: 64-bit integers that overflow into doubles, and doubles."""

from __future__ import annotations

import math
import operator
import re
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Number = int | float

PI = math.pi
E = math.e
_BITS = 64
_LARGEST = 2 ** (_BITS - 1) - 1
_DIGITS = 14
"""Significant digits that PHP writes of a double."""
_MOST_PLACES = 320
_LITERAL = re.compile(r"[0-9]*(?:\.[0-9]*)?")


class ExpressionError(Exception):
    """An expression without a value; holds the key of a message and its parameters."""

    def __init__(self, key: str, *params: str) -> None:
        """Name what is wrong."""
        super().__init__(key, *params)
        self.key = key
        self.params = params


def literal(text: str) -> Number:
    """The number that digits and points begin with; ``1.2.3`` is 1.2 and ``.`` is 0."""
    match = _LITERAL.match(text)
    digits = match[0] if match else ""
    return float(digits) if digits.strip(".") else 0.0


def shown(value: Number) -> str:
    """A number as PHP writes it."""
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    text = f"{value:.{_DIGITS}G}"
    mantissa, mark, power = text.partition("E")
    if not mark:
        return text
    point = "" if "." in mantissa else ".0"
    return f"{mantissa}{point}E{power[0]}{power[1:].lstrip('0')}"


def as_integer(value: Number) -> int:
    """A number cut to 64 bits, as PHP casts it."""
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    whole = int(value)
    if -_LARGEST - 1 <= whole <= _LARGEST:
        return whole
    wrapped = whole % (1 << _BITS)
    return wrapped - (1 << _BITS) if wrapped > _LARGEST else wrapped


def _contained(value: Number) -> Number:
    if isinstance(value, int) and not -_LARGEST - 1 <= value <= _LARGEST:
        return float(value)
    return value


def signed(sign: str, value: Number) -> Number:
    """The number with a sign before it."""
    return _contained(-value) if sign == "-" else value


def _divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise ExpressionError("pfunc_expr_division_by_zero", "/")
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return left / right


def _modulo(left: Number, right: Number) -> Number:
    """The remainder of the integers, with the sign of the left one."""
    dividend, divisor = as_integer(left), as_integer(right)
    if divisor == 0:
        raise ExpressionError("pfunc_expr_division_by_zero", "mod")
    rest = abs(dividend) % abs(divisor)
    return -rest if dividend < 0 else rest


def _float_modulo(left: Number, right: Number) -> Number:
    if right == 0:
        raise ExpressionError("pfunc_expr_division_by_zero", "fmod")
    return math.fmod(left, right) if math.isfinite(left) else math.nan


_OPERATORS: Mapping[str, Callable[[Number, Number], Number]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": _divide,
        "div": _divide,
        "mod": _modulo,
        "fmod": _float_modulo,
    }
)
_COMPARISONS: Mapping[str, Callable[[Number, Number], bool]] = MappingProxyType(
    {
        "=": operator.eq,
        "!=": operator.ne,
        "<>": operator.ne,
        "<": operator.lt,
        ">": operator.gt,
        "<=": operator.le,
        ">=": operator.ge,
    }
)


def combine(left: Number, sign: str, right: Number) -> Number:
    """Sum, difference, product, quotient or remainder."""
    return _contained(_OPERATORS[sign](left, right))


def compare(left: Number, sign: str, right: Number) -> Number:
    """1 if the comparison holds, else 0."""
    return int(_COMPARISONS[sign](left, right))


def power(left: Number, right: Number) -> Number:
    """A power; infinite where it is too large, not a number where there is none."""
    try:
        result = float(left) ** float(right)
    except OverflowError:
        odd = left < 0 and float(right) % 2 == 1
        return -math.inf if odd else math.inf
    except ZeroDivisionError:
        return math.inf
    return math.nan if isinstance(result, complex) else result


def exponent(left: Number, right: Number) -> Number:
    """``left`` times ten to the power ``right``."""
    return _contained(left * power(10.0, right))


def rounded(value: Number, places: Number) -> Number:
    """A number to so many places behind the point, half away from zero."""
    if not math.isfinite(value):
        return value
    kept = max(-_MOST_PLACES, min(_MOST_PLACES, as_integer(places)))
    exact = Decimal(repr(float(value)))
    if -int(exact.as_tuple().exponent) <= kept:
        return float(value)
    shifted = exact.scaleb(kept).to_integral_value(rounding=ROUND_HALF_UP)
    return float(shifted.scaleb(-kept))


def _logarithm(value: Number) -> Number:
    if value <= 0:
        raise ExpressionError("pfunc_expr_invalid_argument_ln", "ln")
    return math.log(value)


def _root(value: Number) -> Number:
    if value < 0:
        raise ExpressionError("pfunc_expr_not_a_number", "sqrt")
    return math.sqrt(value)


def _exponential(value: Number) -> Number:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _inverse(name: str, function: Callable[[Number], float]) -> Callable[[Number], Number]:
    def checked(value: Number) -> Number:
        if not -1 <= value <= 1:
            raise ExpressionError("pfunc_expr_invalid_argument", name)
        return function(value)

    return checked


def _finite(function: Callable[[Number], float]) -> Callable[[Number], Number]:
    """What has no value at infinity."""
    return lambda value: function(value) if math.isfinite(value) else math.nan


def _whole(function: Callable[[Number], int]) -> Callable[[Number], Number]:
    return lambda value: float(function(value)) if math.isfinite(value) else value


_FUNCTIONS: Mapping[str, Callable[[Number], Number]] = MappingProxyType(
    {
        "sin": _finite(math.sin),
        "cos": _finite(math.cos),
        "tan": _finite(math.tan),
        "asin": _inverse("asin", math.asin),
        "acos": _inverse("acos", math.acos),
        "atan": math.atan,
        "exp": _exponential,
        "ln": _logarithm,
        "ceil": _whole(math.ceil),
        "floor": _whole(math.floor),
        "trunc": as_integer,
        "abs": abs,
        "not": lambda value: int(not value),
        "sqrt": _root,
    }
)


def call(name: str, value: Number) -> Number:
    """A function's value.

    Raises:
        ExpressionError: it has none there.
    """
    return _contained(_FUNCTIONS[name](value))
