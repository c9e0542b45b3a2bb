"""Widgets: ``{{#widget:Name|...}}`` shows a note in place of a widget.

Widgets are HTML and scripts by the wiki's administrators, which are not run here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.wikitext import Expansion, FunctionCall, ParserFunction, encode_attributes, escape_all
from wikiapi_plugins.extensions import BundledExtension

FOLDER = Path(__file__).parent

_STYLES = "ext.widgets.styles"
_LONGEST = 300


def widget(call: FunctionCall) -> str | Expansion:
    """Return a note that names the widget; its parameters are in the tooltip."""
    name = call.first[:_LONGEST]
    if not name:
        return ""
    state = call.state
    state.output.module_styles.setdefault(_STYLES)
    text = escape_all(state.messages.text("widgets-placeholder", name))
    arguments = ", ".join(argument for argument in call.args[1:] if argument)[:_LONGEST]
    attributes = {"class": "widget-placeholder"} | ({"title": arguments} if arguments else {})
    return Expansion(f"<span{encode_attributes(attributes)}>{text}</span>", html=True)


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Widgets",
            description="Notes in place of widgets",
            functions=(ParserFunction("#widget", widget),),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )
