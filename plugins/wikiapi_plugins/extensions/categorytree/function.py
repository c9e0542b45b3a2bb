"""``{{#categorytree:name|option=value}}``: the tag as a function."""

from __future__ import annotations

from wikiapi.wikitext import Expansion, FunctionCall, ParserFunction, encode_attributes
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.categorytree.tag import tree_html


def categorytree(call: FunctionCall) -> Expansion:
    """Return the tree as HTML, or the equivalent tag if the text is only preprocessed."""
    options = dict(_option(argument) for argument in call.args[1:])
    if call.state.makes_html:
        return Expansion(tree_html(call.first, options, call.state), html=True)
    return Expansion(f"<categorytree{encode_attributes(options)}>{call.first}</categorytree>")


def _option(argument: str) -> tuple[str, str]:
    """Return the name and value of an option; the value of a name alone is ``1``."""
    name, given, value = argument.partition("=")
    value = trim(value)
    if value.startswith('"') and value.endswith('"'):
        value = trim(value[1:-1])
    return trim(name).lower(), value if given else "1"


DECLARATION = ParserFunction("#categorytree", categorytree)
