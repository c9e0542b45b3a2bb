"""``{{#expr:1 + 2}}`` and ``{{#ifexpr:1 < 2|then|else}}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.html.entities import escape_attribute
from wikiapi_plugins.families.arithmetic import ExpressionError, shown
from wikiapi_plugins.families.expression import evaluate

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def _error(error: ExpressionError, call: FunctionCall) -> str:
    text = call.state.message(error.key, *map(escape_attribute, error.params))
    return f'<strong class="error">{text}</strong>'


def expr(call: FunctionCall) -> str:
    """The value, or an error that shows."""
    try:
        value = evaluate(call.first)
    except ExpressionError as error:
        return _error(error, call)
    return "" if value is None else shown(value)


def ifexpr(call: FunctionCall) -> str:
    """The first text where the value is not zero, else the second."""
    try:
        value = evaluate(call.first)
    except ExpressionError as error:
        return _error(error, call)
    return call.expand(1 if value else 2)


DECLARATIONS = (
    ParserFunction("#expr", expr),
    ParserFunction("#ifexpr", ifexpr, raw=True),
)
