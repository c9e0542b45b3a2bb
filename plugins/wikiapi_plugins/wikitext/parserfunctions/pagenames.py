"""``{{PAGENAME:title}}`` and similar functions, which return a part of any page's name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from wikiapi.title import Title, TitleCodec
from wikiapi.wikitext import FunctionCall, ParserFunction, escape_wikitext
from wikiapi_plugins.wikitext.variables.pagenames import ALIASES, PARTS, encoded


def _part(part: Callable[[Title, TitleCodec], str], call: FunctionCall) -> str:
    title = call.site.titles.try_parse(call.first)
    return escape_wikitext(part(title, call.site.titles), call.state.link_rules) if title else ""


def _encoded_part(part: Callable[[Title, TitleCodec], str], call: FunctionCall) -> str:
    title = call.site.titles.try_parse(call.first)
    if title is None:
        return ""
    return escape_wikitext(encoded(part(title, call.site.titles)), call.state.link_rules)


def _number(call: FunctionCall) -> str:
    title = call.site.titles.try_parse(call.first)
    return str(title.ns) if title else ""


def _functions() -> list[ParserFunction]:
    functions = []
    for name, part in PARTS.items():
        for word, read in ((name, _part), (f"{name}E", _encoded_part)):
            function = partial(read, part)
            functions.append(
                ParserFunction(word, function, ALIASES.get(word, ()), case_sensitive=True)
            )
    return functions


DECLARATIONS = (
    *_functions(),
    ParserFunction("NAMESPACENUMBER", _number, case_sensitive=True),
)
