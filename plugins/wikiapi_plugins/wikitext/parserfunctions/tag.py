"""``{{#tag:name|content|attribute=value}}``: an extension tag whose content is expanded first."""

from __future__ import annotations

import re

from wikiapi.wikitext import FunctionCall, ParserFunction, StripState, nodes, trim

_QUOTED = re.compile("([\"'])(.+)\\1\\Z|\"\"\\Z|''\\Z", re.DOTALL)


def tag(call: FunctionCall) -> str:
    """Return the result of a tag. If no plugin provides it, return the tag as text."""
    strip = call.state.strip
    name = trim(StripState.kill(call.first)).lower()
    content = call.state.expander.expand_part(call.parts[0], call.frame) if call.parts else None
    attributes = {}
    for index in range(2, len(call)):
        key, text = call.split(index)
        if key is not None:
            match = _QUOTED.match(text)
            attributes[key] = (match[2] or "") if match else text
    if name not in call.state.parser.tags:
        plain = {key: StripState.kill(value) for key, value in attributes.items()}
        return f"<{name}{_written(plain)}>{content or ''}</{name}>"
    whole = {key: strip.unstrip_both(value) for key, value in attributes.items()}
    close = f"</{name}>" if content is not None else ""
    node = nodes.Extension(name, _written(whole), content, close)
    lowered = {key.lower(): StripState.kill(value) for key, value in attributes.items()}
    return call.state.expander.call_tag(name, lowered, node, call.frame)


def _written(attributes: dict[str, str]) -> str:
    return "".join(f' {_escaped(name)}="{_escaped(value)}"' for name, value in attributes.items())


def _escaped(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace('"', "&quot;")


DECLARATIONS = (ParserFunction("#tag", tag, raw=True),)
