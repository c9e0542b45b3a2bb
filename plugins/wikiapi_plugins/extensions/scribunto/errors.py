"""What can go wrong with an ``#invoke``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.wikitext import ParseState, escape_attribute, escape_text
from wikiapi.wikitext.output import LimitFigure
from wikiapi_plugins.extensions.scribunto.worker.limits import MEMORY

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session


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


def details(message: str, trace: tuple[tuple[str, str], ...], state: ParseState) -> str:
    """An error and the way to it, as HTML."""
    head = f"<p>{escape_text(message)}</p>"
    if not trace:
        return f"{head}<p>{escape_text(state.message('scribunto-common-no-details'))}</p>"
    steps = "".join(
        f"<li><b>{_place(at, state)}</b>: {_what(was, state)}</li>" for at, was in trace
    )
    title = escape_text(state.message("scribunto-common-backtrace"))
    return f'{head}<p>{title}</p><ol class="scribunto-trace">\n{steps}\n</ol>'


def _place(place: str, state: ParseState) -> str:
    """A place in a module is a link to it."""
    module, _, line = place.rpartition(":")
    title = state.site.titles.try_parse(module) if line.isdigit() else None
    if title is None or not title.ns:
        return escape_text(place)
    url = escape_attribute(f"{state.site.page_path(title)}#mw-ce-l{line}")
    return f'<a href="{url}" title="{escape_attribute(module)}">{escape_text(place)}</a>'


def _what(was: str, state: ParseState) -> str:
    if was == "in main chunk":
        return escape_text(state.message("scribunto-lua-in-main"))
    return escape_text(was)


def add_figures(session: Session) -> None:
    """Put time, memory and log into the limit report."""
    state = session.state
    used, limit = f"{session.cpu_used:.3f}", f"{session.cpu_limit:.3f}"
    figures = {
        "timeusage": LimitFigure(_label(state, "timeusage"), (used, limit), " seconds"),
        "memusage": LimitFigure(_label(state, "memusage"), (session.bytes_used, MEMORY), " bytes"),
    }
    if session.log:
        text = "\n".join(session.log)
        figures["logs"] = LimitFigure(_label(state, "logs"), (text,))
    limits = state.output.plugin_limits
    limits.update({f"scribunto-limitreport-{key}": figure for key, figure in figures.items()})


def _label(state: ParseState, name: str) -> str:
    return state.message(f"scribunto-limitreport-{name}")


def well_formed(text: str) -> str:
    """The text with U+FFFD for bytes that are no UTF-8, and for NUL, which no page holds."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
