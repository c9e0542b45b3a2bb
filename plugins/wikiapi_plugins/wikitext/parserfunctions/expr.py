"""``{{#expr:1 + 2}}`` and ``{{#ifexpr:1 < 2|then|else}}``."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from types import MappingProxyType

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken
from lark.exceptions import VisitError

import wikiapi_grammar
from wikiapi.wikitext import FunctionCall, ParserFunction, escape_attribute

Number = int | float

PI = math.pi
E = math.e
_BITS = 64
_LARGEST = 2 ** (_BITS - 1) - 1
_DIGITS = 14
"""The number of significant digits with which PHP formats a double."""
_MAX_PLACES = 320
_CHARACTERS_IN_STEP = 2
"""Characters of an expression that take as long to evaluate as a step of the budget."""
_LITERAL = re.compile(r"[0-9]*(?:\.[0-9]*)?")


class ExpressionError(Exception):
    """An expression is invalid or has no value."""

    def __init__(self, key: str, *params: str) -> None:
        """Create an error with the key of its message and the parameters for it."""
        super().__init__(key, *params)
        self.key = key
        self.params = params


def literal(text: str) -> Number:
    """Return the number at the start of digits and points: 1.2 for ``1.2.3``, 0 for ``.``."""
    match = _LITERAL.match(text)
    digits = match[0] if match else ""
    return float(digits) if digits.strip(".") else 0.0


def number_text(value: Number) -> str:
    """Return a number formatted as in PHP."""
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
    """Return a number converted to a 64-bit integer as by PHP's ``(int)``."""
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    whole = int(value)
    if -_LARGEST - 1 <= whole <= _LARGEST:
        return whole
    wrapped = whole % (1 << _BITS)
    return wrapped - (1 << _BITS) if wrapped > _LARGEST else wrapped


def _without_overflow(value: Number) -> Number:
    if isinstance(value, int) and not -_LARGEST - 1 <= value <= _LARGEST:
        return float(value)
    return value


def signed(sign: str, value: Number) -> Number:
    """Return the number with a sign applied to it."""
    return _without_overflow(-value) if sign == "-" else value


def _divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise ExpressionError("pfunc_expr_division_by_zero", "/")
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return left / right


def _modulo(left: Number, right: Number) -> Number:
    """Return the remainder of two numbers as integers, with the sign of the left one."""
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
    """Return a sum, difference, product, quotient or remainder."""
    return _without_overflow(_OPERATORS[sign](left, right))


def compare(left: Number, sign: str, right: Number) -> Number:
    """Return 1 if the comparison holds, else 0."""
    return int(_COMPARISONS[sign](left, right))


def power(left: Number, right: Number) -> Number:
    """Return a power; infinity if it is too large, NaN if it is not a real number."""
    try:
        result = float(left) ** float(right)
    except OverflowError:
        odd = left < 0 and float(right) % 2 == 1
        return -math.inf if odd else math.inf
    except ZeroDivisionError:
        return math.inf
    return math.nan if isinstance(result, complex) else result


def exponent(left: Number, right: Number) -> Number:
    """Return ``left`` times ten to the power ``right``."""
    return _without_overflow(left * power(10.0, right))


def rounded(value: Number, places: Number) -> Number:
    """Return a number rounded to a number of decimal places, half away from zero."""
    if not math.isfinite(value):
        return value
    limit = max(-_MAX_PLACES, min(_MAX_PLACES, as_integer(places)))
    exact = Decimal(repr(float(value)))
    if -int(exact.as_tuple().exponent) <= limit:
        return float(value)
    shifted = exact.scaleb(limit).to_integral_value(rounding=ROUND_HALF_UP)
    return float(shifted.scaleb(-limit))


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
    """Return a function that returns NaN for infinite arguments."""
    return lambda value: function(value) if math.isfinite(value) else math.nan


def _whole(function: Callable[[Number], int]) -> Callable[[Number], Number]:
    """Return a function whose result has the sign of the number, also if it is zero."""
    return lambda value: math.copysign(function(value), value) if math.isfinite(value) else value


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
    """Return the value of a function.

    Raises:
        ExpressionError: the function is not defined for the argument.
    """
    return _without_overflow(_FUNCTIONS[name](value))


def _error(error: ExpressionError, call: FunctionCall) -> str:
    text = call.state.messages.text(error.key, *map(escape_attribute, error.params))
    return f'<strong class="error">{text}</strong>'


def _value(call: FunctionCall) -> Number | None:
    """Return the value of the first argument, and charge its evaluation to the budget."""
    call.state.budget.step(len(call.first) // _CHARACTERS_IN_STEP)
    return evaluate(call.first)


def expr(call: FunctionCall) -> str:
    """Return the value of an expression, or an error message."""
    try:
        value = _value(call)
    except ExpressionError as error:
        return _error(error, call)
    return "" if value is None else number_text(value)


def ifexpr(call: FunctionCall) -> str:
    """Return the first text if the value of an expression is not zero, else the second."""
    try:
        value = _value(call)
    except ExpressionError as error:
        return _error(error, call)
    return call.expand(1 if value else 2)


DECLARATIONS = (
    ParserFunction("#expr", expr),
    ParserFunction("#ifexpr", ifexpr, raw=True),
)


# A number is a 64-bit integer or a double. Integers that overflow become doubles, never long
# integers, so that the time for an expression is bounded by its length.

_REPLACED = (("&lt;", "<"), ("&gt;", ">"), ("&minus;", "-"), ("\u2212", "-"))
_WORD = re.compile(r"[A-Za-z]+")
_OPERANDS = frozenset({"NUMBER", "PI", "E"})
_END = "$END"
_NAMES: Mapping[str, str] = {"!=": "<>", "div": "/"}
"""The names of operators in errors, if these are written in another way."""


def evaluate(text: str) -> Number | None:
    """Return the value of an expression, ``None`` for an empty one.

    Raises:
        ExpressionError: it is invalid or has no value.
    """
    for written, meant in _REPLACED:
        text = text.replace(written, meant)
    if not text.strip():
        return None
    try:
        return _parser().parse(text)  # type: ignore[return-value]
    except UnexpectedCharacters as error:
        raise _unreadable(text, error.pos_in_stream or 0) from error
    except UnexpectedToken as error:
        raise _misplaced(error) from error
    except VisitError as error:
        if isinstance(error.orig_exc, ExpressionError):
            raise error.orig_exc from None
        raise


def _unreadable(text: str, position: int) -> ExpressionError:
    word = _WORD.match(text, position)
    if word:
        return ExpressionError("pfunc_expr_unrecognised_word", word[0].lower())
    return ExpressionError("pfunc_expr_unrecognised_punctuation", text[position])


def _misplaced(error: UnexpectedToken) -> ExpressionError:
    token, wants_operand, last = error.token, "NUMBER" in error.expected, _last_token(error)
    if token.type in (_END, "RIGHT") and wants_operand and last and last.type != "LEFT":
        name = last.lower()
        return ExpressionError("pfunc_expr_missing_operand", _NAMES.get(name, name))
    if token.type == _END:
        return ExpressionError("pfunc_expr_unclosed_bracket")
    if token.type == "RIGHT":
        return ExpressionError("pfunc_expr_unexpected_closing_bracket")
    if token.type in _OPERANDS and not wants_operand:
        return ExpressionError("pfunc_expr_unexpected_number")
    return ExpressionError("pfunc_expr_unexpected_operator", str(token).lower())


def _last_token(error: UnexpectedToken) -> Token | None:
    """Return the token before the misplaced one, if it is an operator that lacks an operand."""
    stack = error.interactive_parser.parser_state.value_stack if error.interactive_parser else ()
    return stack[-1] if stack and isinstance(stack[-1], Token) else None


class _Evaluator(Transformer[Token, Number]):
    """A method for each rule of the grammar. Stateless, so that threads can share it."""

    def start(self, children: Sequence[Number]) -> Number:
        return children[0]

    def number(self, children: Sequence[Token]) -> Number:
        return literal(children[0])

    def pi(self, _: object) -> Number:
        return PI

    def e(self, _: object) -> Number:
        return E

    def group(self, children: Sequence[Number]) -> Number:
        return children[1]

    def sign(self, children: tuple[Token, Number]) -> Number:
        return signed(children[0], children[1])

    def function(self, children: tuple[Token, Number]) -> Number:
        return call(children[0].lower(), children[1])

    def signed_function(self, children: tuple[Token, Token, Number]) -> Number:
        sign, name, value = children
        return signed(sign, call(name.lower(), value))

    def exponent(self, children: tuple[Number, Token, Number]) -> Number:
        return exponent(children[0], children[2])

    def function_exponent(self, children: tuple[Number, Token, Token, Number]) -> Number:
        left, _, name, value = children
        return exponent(left, call(name.lower(), value))

    def combine(self, children: tuple[Number, Token, Number]) -> Number:
        left, operator, right = children
        return combine(left, operator.lower(), right)

    def power(self, children: tuple[Number, Token, Number]) -> Number:
        return power(children[0], children[2])

    def round(self, children: tuple[Number, Token, Number]) -> Number:
        return rounded(children[0], children[2])

    def compare(self, children: tuple[Number, Token, Number]) -> Number:
        left, operator, right = children
        return compare(left, operator, right)

    def both(self, children: tuple[Number, Token, Number]) -> Number:
        return int(bool(children[0]) and bool(children[2]))

    def either(self, children: tuple[Number, Token, Number]) -> Number:
        return int(bool(children[0]) or bool(children[2]))


@cache
def _parser() -> Lark:
    return Lark(
        wikiapi_grammar.read("expression"),
        parser="lalr",
        lexer="basic",
        transformer=_Evaluator(),
        keep_all_tokens=True,
    )
