"""What can go wrong with an ``#invoke``."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass
class ScriptError(Exception):
    """An ``#invoke`` that gave no text. ``key`` and ``params`` are its message.

    ``trace`` is the way to the error, innermost first: place and what was running there.
    """

    key: str
    params: tuple[str, ...] = ()
    trace: tuple[tuple[str, str], ...] = ()


class Refusal(Exception):
    """A question of a module that has no answer: it becomes an error in Lua."""


NO_MODULE = "scribunto-common-nosuchmodule"
NO_FUNCTION_NAMED = "scribunto-common-nofunction"
NO_FUNCTION = "scribunto-common-nosuchfunction"
TIMEOUT = "scribunto-common-timeout"
LUA_ERROR = "scribunto-lua-error"
LUA_ERROR_AT = "scribunto-lua-error-location"
CANNOT_START = "scribunto-luastandalone-proc-error-msg"
KILLED = "scribunto-luastandalone-signal"
EXITED = "scribunto-luastandalone-exited"

_PLACE = re.compile(r"(?P<module>.*?):(?P<line>[0-9]+): (?P<text>.*)\Z", re.DOTALL)


def lua_error(problem: str, trace: str) -> ScriptError:
    """An error of Lua, whose message may begin with a place; ``trace`` has two lines a step."""
    lines = trace.split("\n")
    steps = tuple(zip(lines[::2], lines[1::2], strict=False))
    match = _PLACE.match(problem)
    if match is None:
        return ScriptError(LUA_ERROR, ("", problem), steps)
    place = f"in {match['module']} at line {match['line']}"
    return ScriptError(LUA_ERROR_AT, (place, match["text"]), steps)
