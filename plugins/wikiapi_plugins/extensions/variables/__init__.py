"""Variables: ``{{#vardefine:}}`` and ``{{#var:}}``, texts that a page sets and shows by name.

Other plugins set and read variables through ``VARIABLES``, the key of a rendering's variables.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, PluginState
from wikiapi_plugins.extensions import BundledExtension

_KIND = "var-final"


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Variables",
            description="Texts that a page sets and shows by name",
            functions=DECLARATIONS,
        ),
    )


class Variables:
    """The variables of one rendering, by name."""

    def __init__(self, state: ParseState) -> None:
        """Start without variables."""
        self._state = state
        self._values: dict[str, str] = {}

    def define(self, name: str, value: str) -> None:
        """Set a variable, and mark the current expansion as one that must not be reused."""
        self._state.expander.note_volatile()
        self._state.budget.keep(name)
        self._state.budget.keep(value)
        self._values[name] = value

    def get(self, name: str) -> str | None:
        """Return the value of a variable, or ``None`` if it has not been set."""
        self._state.expander.note_volatile()
        return self._values.get(name)

    def final(self, name: str, default: str) -> str:
        """Return a marker that is replaced by the variable's value at the end of the page."""
        return self._state.add_late_text(lambda: self._values.get(name) or default, _KIND)


VARIABLES: PluginState[Variables] = PluginState(Variables)


def vardefine(call: FunctionCall) -> str:
    """Set a variable, and return nothing."""
    call.state.plugin(VARIABLES).define(call.first, call.arg(1))
    return ""


def vardefineecho(call: FunctionCall) -> str:
    """Set a variable and return its value."""
    vardefine(call)
    return call.arg(1)


def var(call: FunctionCall) -> str:
    """Return the value of a variable, or the second argument if it is unset or empty."""
    return call.state.plugin(VARIABLES).get(call.first) or call.expand(1)


def varexists(call: FunctionCall) -> str:
    """Return the second argument, by default 1, if a variable has been set, else the third."""
    exists = call.state.plugin(VARIABLES).get(call.first) is not None
    if len(call) == 1:
        return "1" if exists else ""
    return call.expand(1 if exists else 2)


def var_final(call: FunctionCall) -> str:
    """Return a marker for the value that a variable has at the end of the page."""
    return call.state.plugin(VARIABLES).final(call.first, call.expand(1))


DECLARATIONS = (
    ParserFunction("#vardefine", vardefine),
    ParserFunction("#vardefineecho", vardefineecho),
    ParserFunction("#var", var, raw=True),
    ParserFunction("#varexists", varexists, raw=True),
    ParserFunction("#var_final", var_final, raw=True),
)
