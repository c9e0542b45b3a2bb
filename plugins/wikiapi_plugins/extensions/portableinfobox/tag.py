"""``<infobox>``."""

from __future__ import annotations

import json
import re

from wikiapi.wikitext import ExtensionTag, ParseState, PluginState, TagCall, escape_text
from wikiapi_plugins.extensions.portableinfobox.items import (
    Evaluation,
    UnknownElement,
    metadata,
    property_data,
)
from wikiapi_plugins.extensions.portableinfobox.markup import Unreadable, read
from wikiapi_plugins.extensions.portableinfobox.rendering import render

_STYLES, _SCRIPT = "ext.PortableInfobox.styles", "ext.PortableInfobox.scripts"
_PROPERTY = "infoboxes"
_VERSION = 2
_LAYOUTS = ("default", "stacked")
_UNSAFE = re.compile(r"[^\w\-]+")
_BOXES: PluginState[list[str]] = PluginState(lambda state: [])
"""The data of the boxes of a rendering as JSON."""


def infobox(call: TagCall) -> str:
    """Return the box, and set its content as a property of the page."""
    state = call.state
    state.output.modules.setdefault(_SCRIPT)
    state.output.module_styles.setdefault(_STYLES)
    evaluation = Evaluation(call.frame, state)
    try:
        nodes, count = read(call.inner or "")
        state.budget.step(count)
        items = evaluation.items(nodes)
    except Unreadable:
        return escape_text(state.messages.text("portableinfobox-unreadable"))
    except UnknownElement as error:
        text = state.messages.text("portableinfobox-unknown-tag", escape_text(str(error)))
        return f'<strong class="error"> {text}</strong>'
    data = {
        "parser_tag_version": _VERSION,
        "data": property_data(items),
        "metadata": metadata(items),
    }
    encoded = json.dumps(data, separators=(",", ":")).replace("/", "\\/")
    state.charge(encoded)
    state.plugin(_BOXES).append(encoded)
    # The place of the property is that of the first box.
    state.output.properties.setdefault(_PROPERTY, "[]")
    # A strip marker replaces the box until paragraphs are made, so that none are made in it.
    return state.strip.add_nowiki(render(items, _classes(call, evaluation)), "infobox")


def set_property(state: ParseState) -> None:
    """Set the page property to the data of all boxes, which are then complete."""
    if _PROPERTY in state.output.properties:
        boxes = state.plugin(_BOXES)
        state.output.properties[_PROPERTY] = f"[{','.join(boxes)}]"


def _classes(call: TagCall, evaluation: Evaluation) -> list[str]:
    """Return the classes of the box: its theme, its layout and its type."""
    given = call.attributes
    theme = evaluation.parameter(given.get("theme-source", "")) or given.get("theme", "")
    layout = given.get("layout", "")
    classes = [
        "pi-background",
        f"pi-theme-{_word(theme) or 'default'}",
        f"pi-layout-{layout if layout in _LAYOUTS else 'default'}",
    ]
    kind = _word(given.get("type", ""))
    return [*classes, f"pi-type-{kind}"] if kind else classes


def _word(text: str) -> str:
    """Return a text in a form that can be part of a class name."""
    return _UNSAFE.sub("-", text.strip())


DECLARATION = ExtensionTag("infobox", infobox)
