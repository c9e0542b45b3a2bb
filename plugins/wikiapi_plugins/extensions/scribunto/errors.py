"""Errors of ``#invoke``, and how pages show them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wikiapi.wikitext import ParseState, escape_attribute, escape_text


@dataclass
class ScriptError(Exception):
    """An ``#invoke`` without a result. ``key`` and ``params`` are its message.

    ``trace`` is the stack at the error, innermost call first: place and function.
    """

    key: str
    params: tuple[str, ...] = ()
    trace: tuple[tuple[str, str], ...] = ()


class Refusal(Exception):
    """A call of a host function that fails: it becomes an error in Lua."""


NO_MODULE = "scribunto-common-nosuchmodule"
NO_FUNCTION_NAMED = "scribunto-common-nofunction"
TIMEOUT = "scribunto-common-timeout"
LUA_ERROR = "scribunto-lua-error"
LUA_ERROR_AT = "scribunto-lua-error-location"
CANNOT_START = "scribunto-luastandalone-proc-error-msg"
KILLED = "scribunto-luastandalone-signal"
EXITED = "scribunto-luastandalone-exited"

_PLACE = re.compile(r"(?P<module>.*?):(?P<line>[0-9]+): (?P<text>.*)\Z", re.DOTALL)


def lua_error(problem: str, trace: str) -> ScriptError:
    """Return an error of Lua, whose message may begin with a place.

    ``trace`` has two lines for each call.
    """
    lines = trace.split("\n")
    steps = tuple(zip(lines[::2], lines[1::2], strict=False))
    match = _PLACE.match(problem)
    if match is None:
        return ScriptError(LUA_ERROR, ("", problem), steps)
    place = f"in {match['module']} at line {match['line']}"
    return ScriptError(LUA_ERROR_AT, (place, match["text"]), steps)


def details(message: str, trace: tuple[tuple[str, str], ...], state: ParseState) -> str:
    """Return an error and its stack as HTML."""
    head = f"<p>{escape_text(message)}</p>"
    if not trace:
        return f"{head}<p>{escape_text(state.messages.text('scribunto-common-no-details'))}</p>"
    steps = "".join(
        f"<li><b>{_place_link(place, state)}</b>: {_function_name(name, state)}</li>"
        for place, name in trace
    )
    title = escape_text(state.messages.text("scribunto-common-backtrace"))
    return f'{head}<p>{title}</p><ol class="scribunto-trace">\n{steps}\n</ol>'


def _place_link(place: str, state: ParseState) -> str:
    """Return a place, with a link if it is in a module."""
    module, _, line = place.rpartition(":")
    title = state.site.titles.try_parse(module) if line.isdigit() else None
    if title is None or not title.ns:
        return escape_text(place)
    url = escape_attribute(f"{state.site.page_path(title)}#mw-ce-l{line}")
    return f'<a href="{url}" title="{escape_attribute(module)}">{escape_text(place)}</a>'


def _function_name(name: str, state: ParseState) -> str:
    if name == "in main chunk":
        return escape_text(state.messages.text("scribunto-lua-in-main"))
    return escape_text(name)


def well_formed(text: str) -> str:
    """Return the text with U+FFFD for bytes that are not UTF-8, and for NUL."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
