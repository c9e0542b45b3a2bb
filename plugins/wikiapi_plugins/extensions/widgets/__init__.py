"""Widgets: ``{{#widget:Name|...}}`` shows a note in place of a widget.

Widgets are HTML and scripts by the wiki's administrators, which are not run here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import Expansion, FunctionCall, ParserFunction, encode_attributes, escape_all

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
    given = ", ".join(argument for argument in call.args[1:] if argument)[:_LONGEST]
    attributes = {"class": "widget-placeholder"} | ({"title": given} if given else {})
    return Expansion(f"<span{encode_attributes(attributes)}>{text}</span>", html=True)


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return ``{{#widget:}}``."""
    return (ParserFunction("#widget", widget),)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the text of the note."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of the note."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("Widgets", "parserhook", "Notes in place of widgets"),)
