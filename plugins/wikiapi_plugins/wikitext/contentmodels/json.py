"""The content model of JSON, which is shown as nested tables."""

from __future__ import annotations

import json

from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.title import Title
from wikiapi.wikitext import (
    ContentModel,
    Parser,
    ParserOptions,
    ParserOutput,
    escape_text,
    wrap_output,
)

_MAX_DEPTH = 100
_INVALID = "Invalid JSON: $1"
"""MediaWiki does not replace the parameter by the reason."""


def render(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Return a table for objects and lists; invalid JSON is reported in the page."""
    try:
        html = f'<div class="noresize">{_root(json.loads(source))}</div>'
    except (ValueError, RecursionError):
        html = _INVALID
    return ParserOutput(html=wrap_output(html, parser.site, options))


def _root(value: object) -> str:
    if isinstance(value, dict | list):
        return _value(value, 0)
    cell = f'<tr><td class="mw-json-value">{_scalar(value)}</td></tr>'
    return f'<table class="mw-json mw-json-single-value"><tbody>{cell}</tbody></table>'


def _value(value: object, depth: int) -> str:
    if depth > _MAX_DEPTH:
        raise RecursionError
    if isinstance(value, dict):
        rows = [_row(f"<th><span>{escape_text(k)}</span></th>", v, depth) for k, v in value.items()]
        return _table(rows, "object")
    if isinstance(value, list):
        return _table([_row("", item, depth) for item in value], "array")
    return _scalar(value)


def _table(rows: list[str], kind: str) -> str:
    empty = f'<tr><td class="mw-json-empty">Empty {kind}</td></tr>'
    return f'<table class="mw-json"><tbody>{"".join(rows) or empty}</tbody></table>'


def _row(header: str, value: object, depth: int) -> str:
    cell = _value(value, depth + 1)
    css = "" if isinstance(value, dict | list) else ' class="mw-json-value"'
    return f"<tr>{header}<td{css}>{cell}</td></tr>"


def _scalar(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else json.dumps(value)
    return escape_text(text)


def _refuse_constant(name: str) -> None:
    """Raise ``ValueError`` for ``NaN`` and ``Infinity``, which are not JSON."""
    raise ValueError(name)


_ESCAPES = {ord(character): f"\\u{ord(character):04X}" for character in "<>&"} | {
    ord(character): f"\\u{ord(character):04x}" for character in "\u2028\u2029"
}
"""How MediaWiki writes characters that could end a script element or a line of a script."""


def saved(_: Parser, text: str, __: Title) -> str:
    """Return JSON formatted as MediaWiki does.

    Raises:
        ApiError: the text is not valid JSON.
    """
    try:
        value = _parsed(text)
    except (ValueError, RecursionError) as error:
        raise ApiError("invalid-json-data", "invalid-json-data", Plain(str(error))) from error
    return json.dumps(value, indent="\t", ensure_ascii=False).translate(_ESCAPES)


def is_valid(text: str) -> bool:
    """Return whether a text is JSON."""
    try:
        _parsed(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(text: str) -> object:
    value: object = json.loads(text, parse_constant=_refuse_constant)
    return value


DECLARATIONS = (
    ContentModel("json", ("application/json",), render, saved=saved, is_valid=is_valid),
)
