"""``{{#tag:name|content|attribute=value}}``: an extension tag whose content is expanded first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import Expansion, ParserFunction
from wikiapi.wikitext.expand.extensions import call_tag
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.preprocess.nodes import Extension

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def tag(call: FunctionCall) -> str | Expansion:
    """Call the tag; one that does not exist is shown as text."""
    name = StripState.kill(call.first).lower()
    content = call.state.expander.expand_part(call.parts[0], call.frame) if call.parts else None
    attributes = dict(_attributes(call))
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    close = f"</{name}>" if content is not None else ""
    node = Extension(name, written, content, close)
    if name not in call.state.registries.tags:
        return Expansion(node.source)
    return call_tag(call.state.expander, name, attributes, node, call.frame)


def _attributes(call: FunctionCall) -> list[tuple[str, str]]:
    found = []
    for index in range(2, len(call)):
        name, value = call.split(index)
        if name is None:
            continue
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        found.append((name.lower(), StripState.kill(value)))
    return found


DECLARATIONS = (ParserFunction("#tag", tag, raw=True),)
