"""``{{#titleparts:a/b/c|count|first}}`` and ``{{#rel2abs:../b|a/c}}``: parts of page names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.html.entities import escape_attribute

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,9})", re.ASCII)
_MOST_PARTS = 25
_RELATIVE = re.compile(r"(?:/|\.\.?(?:/|\Z))")


def integer(text: str) -> int:
    """The number that a text begins with, else 0."""
    match = _INTEGER.match(text)
    return int(match[1]) if match else 0


def titleparts(call: FunctionCall) -> str:
    """So many parts of a page's name from the ``first``; negative numbers count from the end."""
    title = call.site.titles.try_parse(call.first)
    if title is None:
        return call.first
    parts = title.prefixed_text.split("/", _MOST_PARTS - 1)
    count, first = integer(call.arg(1)), integer(call.arg(2))
    parts = parts[first - 1 if first > 0 else first :] if first else parts
    return "/".join(parts[:count] if count else parts)


def rel2abs(call: FunctionCall) -> str:
    """The full path that a relative one leads to from a page, by default this one."""
    path, base = call.first.rstrip(" /"), call.arg(1) or call.title.prefixed_text
    if not path or path == ".":
        return base
    whole = f"{base}/{path}" if _RELATIVE.match(path) else f"/{path}"
    found: list[str] = []
    for part in whole.split("/"):
        if part == "..":
            if not found:
                text = call.state.message("pfunc_rel2abs_invalid_depth", escape_attribute(whole))
                return f'<strong class="error">{text}</strong>'
            found.pop()
        elif part not in ("", "."):
            found.append(part)
    return "/".join(found)


DECLARATIONS = (ParserFunction("#titleparts", titleparts), ParserFunction("#rel2abs", rel2abs))
