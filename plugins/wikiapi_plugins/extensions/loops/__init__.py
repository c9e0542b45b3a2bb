"""Loops: ``{{#loop:}}``, ``{{#while:}}`` and others, which expand a text repeatedly.

The loops of a page may make 100 iterations together, or as many as ``limit`` in
``[extensions.loops]`` allows. Functions that set variables need the plugin Variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, PluginState
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.variables import VARIABLES

FOLDER = Path(__file__).parent

_DEFAULT_LIMIT = 100
_NUMBER = re.compile(r"[ \t\n\r\v\f]*([+-]?[0-9]{1,18})")
_INDEX = re.compile(r"0|[1-9][0-9]{0,17}")


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Loops",
            description="Texts that are expanded repeatedly",
            functions=(*PLAIN, *COUNTING) if site.plugins.has_plugin("variables") else PLAIN,
            messages=FOLDER / "messages",
        ),
    )


class Iterations:
    """Counts the iterations of all loops of one rendering."""

    def __init__(self, state: ParseState) -> None:
        """Start at zero; the limit is a setting of the wiki."""
        settings = state.site.config.extensions.get("loops", {})
        self._left = int(settings.get("limit", _DEFAULT_LIMIT))
        self._state = state

    def begin(self) -> bool:
        """Count an iteration, or return false if the limit has been reached."""
        self._state.expander.note_place_dependent()
        if self._left <= 0:
            return False
        self._left -= 1
        self._state.budget.step()
        return True


ITERATIONS: PluginState[Iterations] = PluginState(Iterations)


class _Loop:
    """The iterations of one call, and their texts."""

    def __init__(self, call: FunctionCall, body: int) -> None:
        """Repeat the argument at the position ``body``."""
        self._call = call
        self._body = body
        self._texts: list[str] = []

    def iterate(self) -> bool:
        """Make an iteration, or add an error and return false if the limit has been reached."""
        state = self._call.state
        if not state.plugin(ITERATIONS).begin():
            message = state.messages.text("loops_max")
            self._texts.append(f'<div class="error">{message}</div>')
            return False
        self._texts.append(self._call.expand(self._body))
        return True

    def text(self) -> str:
        """Return the texts of all iterations."""
        return "".join(self._texts)


def while_(call: FunctionCall) -> str:
    """Return the third argument repeatedly; stop before an iteration if the second is blank."""
    loop = _Loop(call, 2)
    while call.expand(1) and loop.iterate():
        pass
    return loop.text()


def dowhile(call: FunctionCall) -> str:
    """Return the third argument repeatedly; stop after an iteration if the second is blank."""
    loop = _Loop(call, 2)
    while loop.iterate() and call.expand(1):
        pass
    return loop.text()


def loop_(call: FunctionCall) -> str:
    """Return the fourth argument once for each number of a range.

    The arguments before are the name of the variable for the number, the first number, and how
    many there are; if that is negative, they count down.
    """
    first, count = _integer(call.expand(1)), _integer(call.expand(2))
    step = 1 if count >= 0 else -1
    numbers = (str(number) for number in range(first, first + count, step))
    return _for_each(call, 3, ({call.first: number} for number in numbers))


def forargs(call: FunctionCall) -> str:
    """Return the fourth argument once for each argument of the template with a prefix.

    The arguments before are the prefix and the names of the variables for the rest of the name and
    for the value.
    """
    prefix, name, value = call.first, call.expand(1), call.expand(2)
    values = (
        {name: key.removeprefix(prefix), value: text}
        for key, text in _arguments(call)
        if key.startswith(prefix)
    )
    return _for_each(call, 3, values)


def fornumargs(call: FunctionCall) -> str:
    """Return the third argument once for each numbered argument of the template, in order.

    The arguments before are the names of the variables for the number and for the value.
    """
    number, value = call.first, call.expand(1)
    numbered = [(int(key), text) for key, text in _arguments(call) if _INDEX.fullmatch(key)]
    values = ({number: str(key), value: text} for key, text in sorted(numbered))
    return _for_each(call, 2, values)


def _for_each(call: FunctionCall, body: int, variable_sets: Iterable[dict[str, str]]) -> str:
    """Return an argument expanded once for each set of variables."""
    loop, variables = _Loop(call, body), call.state.plugin(VARIABLES)
    for values in variable_sets:
        for name, value in values.items():
            variables.define(name, value)
        if not loop.iterate():
            break
    return loop.text()


def _arguments(call: FunctionCall) -> Iterator[tuple[str, str]]:
    """Return the arguments of the template that contains a call; a page has none."""
    return iter(call.frame.arguments().items())


def _integer(text: str) -> int:
    """Return the number at the beginning of a text, 0 if there is none."""
    match = _NUMBER.match(text)
    return int(match[1]) if match else 0


PLAIN = (
    ParserFunction("#while", while_, raw=True),
    ParserFunction("#dowhile", dowhile, raw=True),
)
COUNTING = (
    ParserFunction("#loop", loop_, raw=True),
    ParserFunction("#forargs", forargs, raw=True),
    ParserFunction("#fornumargs", fornumargs, raw=True),
)
