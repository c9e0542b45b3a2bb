"""``{{#categorytree:name|option=value}}``: the tag as a function."""

from __future__ import annotations

from wikiapi.wikitext import Expansion, FunctionCall, ParserFunction, encode_attributes
from wikiapi_plugins.extensions.categorytree.tag import written_tree


def categorytree(call: FunctionCall) -> Expansion:
    """Return the tree; for a preprocessed text, the tag that makes it."""
    options = dict(_option(argument) for argument in call.args[1:])
    if call.state.makes_html:
        return Expansion(written_tree(call.first, options, call.state), html=True)
    return Expansion(f"<categorytree{encode_attributes(options)}>{call.first}</categorytree>")


def _option(argument: str) -> tuple[str, str]:
    """A name and its value; a name alone is a yes."""
    name, given, value = argument.partition("=")
    value = value.strip()
    if value.startswith('"') and value.endswith('"'):
        value = value[1:-1].strip()
    return name.strip().lower(), value if given else "1"


DECLARATION = ParserFunction("#categorytree", categorytree)
