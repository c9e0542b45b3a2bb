"""``{{#categorytree:name|option=value}}``: the tag as a function."""

from __future__ import annotations

from wikiapi.wikitext import Expansion, FunctionCall, ParserFunction, encode_attributes
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.categorytree.tag import written_tree


def categorytree(call: FunctionCall) -> Expansion:
    """Return the tree; for a preprocessed text, the tag that makes it."""
    options = dict(_option(argument) for argument in call.args[1:])
    if call.state.makes_html:
        return Expansion(written_tree(call.first, options, call.state), html=True)
    return Expansion(f"<categorytree{encode_attributes(options)}>{call.first}</categorytree>")


def _option(argument: str) -> tuple[str, str]:
    """Split a name and its value; a name alone means yes."""
    name, given, value = argument.partition("=")
    value = trim(value)
    if value.startswith('"') and value.endswith('"'):
        value = trim(value[1:-1])
    return trim(name).lower(), value if given else "1"


DECLARATION = ParserFunction("#categorytree", categorytree)
