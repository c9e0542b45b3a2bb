"""Expressions: parsed by a grammar, evaluated while parsing, with PHP's idea of numbers.

A number is a 64-bit integer or a double; what leaves the integers becomes a double, never a long
integer, so that no expression costs more than its length.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken
from lark.exceptions import VisitError

import wikiapi_grammar
from wikiapi_plugins.families import arithmetic
from wikiapi_plugins.families.arithmetic import ExpressionError, Number

if TYPE_CHECKING:
    from collections.abc import Sequence

_REPLACED = (("&lt;", "<"), ("&gt;", ">"), ("&minus;", "-"), ("\u2212", "-"))
_WORD = re.compile(r"[A-Za-z]+")
_OPERANDS = frozenset({"NUMBER", "PI", "E"})
_END = "$END"


def evaluate(text: str) -> Number | None:
    """The value of an expression, ``None`` for an empty one.

    Raises:
        ExpressionError: it cannot be read or has no value.
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
        return ExpressionError("pfunc_expr_missing_operand", last.lower())
    if token.type == _END:
        return ExpressionError("pfunc_expr_unclosed_bracket")
    if token.type == "RIGHT":
        return ExpressionError("pfunc_expr_unexpected_closing_bracket")
    if token.type in _OPERANDS and not wants_operand:
        return ExpressionError("pfunc_expr_unexpected_number")
    return ExpressionError("pfunc_expr_unexpected_operator", str(token).lower())


def _last_token(error: UnexpectedToken) -> Token | None:
    """The token before the misplaced one, if it still waits for an operand."""
    stack = error.interactive_parser.parser_state.value_stack if error.interactive_parser else ()
    return stack[-1] if stack and isinstance(stack[-1], Token) else None


class _Evaluator(Transformer[Token, Number]):
    """A method for each rule of the grammar. Holds no state, so that threads may share it."""

    def start(self, children: Sequence[Number]) -> Number:
        return children[0]

    def number(self, children: Sequence[Token]) -> Number:
        return arithmetic.literal(children[0])

    def pi(self, _: object) -> Number:
        return arithmetic.PI

    def e(self, _: object) -> Number:
        return arithmetic.E

    def group(self, children: Sequence[Number]) -> Number:
        return children[1]

    def sign(self, children: tuple[Token, Number]) -> Number:
        return arithmetic.signed(children[0], children[1])

    def function(self, children: tuple[Token, Number]) -> Number:
        return arithmetic.call(children[0].lower(), children[1])

    def signed_function(self, children: tuple[Token, Token, Number]) -> Number:
        sign, name, value = children
        return arithmetic.signed(sign, arithmetic.call(name.lower(), value))

    def exponent(self, children: tuple[Number, Token, Number]) -> Number:
        return arithmetic.exponent(children[0], children[2])

    def function_exponent(self, children: tuple[Number, Token, Token, Number]) -> Number:
        left, _, name, value = children
        return arithmetic.exponent(left, arithmetic.call(name.lower(), value))

    def combine(self, children: tuple[Number, Token, Number]) -> Number:
        left, operator, right = children
        return arithmetic.combine(left, operator.lower(), right)

    def power(self, children: tuple[Number, Token, Number]) -> Number:
        return arithmetic.power(children[0], children[2])

    def round(self, children: tuple[Number, Token, Number]) -> Number:
        return arithmetic.rounded(children[0], children[2])

    def compare(self, children: tuple[Number, Token, Number]) -> Number:
        left, operator, right = children
        return arithmetic.compare(left, operator, right)

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
