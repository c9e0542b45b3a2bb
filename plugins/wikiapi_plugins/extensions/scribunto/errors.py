"""Errors of ``#invoke``, and their display on pages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wikiapi.languages import Message, Plain
from wikiapi.wiki import Wiki
from wikiapi.wikitext import ParseState, escape_attribute, escape_text


@dataclass
class ScriptError(Exception):
    """An ``#invoke`` failed; ``key`` and ``params`` define the error message.

    ``trace`` is the stack traceback, innermost call first: a location and a function each.
    """

    key: str
    params: tuple[str, ...] = ()
    trace: tuple[tuple[str, str], ...] = ()
    location: tuple[str, str] | None = None
    """The module and the line in which it occurred, if Lua says so."""


class HostError(Exception):
    """A host function failed; the worker raises the error in Lua."""


NO_MODULE = "scribunto-common-nosuchmodule"
NO_FUNCTION_NAMED = "scribunto-common-nofunction"
TIMEOUT = "scribunto-common-timeout"
LUA_ERROR = "scribunto-lua-error"
LUA_ERROR_AT = "scribunto-lua-error-location"
CANNOT_START = "scribunto-luastandalone-proc-error-msg"
KILLED = "scribunto-luastandalone-signal"
EXITED = "scribunto-luastandalone-exited"

_FUNCTION = re.compile(r'in function "(.*)"', re.DOTALL)
_LOCATION = re.compile(r"(?P<module>.*?):(?P<line>[0-9]+): (?P<text>.*)\Z", re.DOTALL)


def lua_error(problem: str, trace: str) -> ScriptError:
    """Return the exception for a Lua error, whose message may begin with a location.

    ``trace`` is the traceback from the worker: two lines for each call, location and function.
    """
    lines = trace.split("\n")
    calls = tuple(zip(lines[::2], lines[1::2], strict=False))
    match = _LOCATION.match(problem)
    if match is None:
        return ScriptError(LUA_ERROR, ("", problem), calls)
    return ScriptError(LUA_ERROR_AT, ("", match["text"]), calls, (match["module"], match["line"]))


def error_text(error: ScriptError, site: Wiki) -> str:
    """Return the message of an error in the content language."""
    return site.messages.text(error_message(error, site), site.language)


def error_message(error: ScriptError, site: Wiki) -> Message:
    """Return the message of an error: where it occurred in words, and texts from Lua."""
    if error.location is None:
        return Message(error.key, tuple(map(Plain, error.params)))
    where = site.messages.content_text("scribunto-module-line", *map(Plain, error.location))
    return Message(error.key, (Plain(where), *map(Plain, error.params[1:])))


def details_html(message: str, trace: tuple[tuple[str, str], ...], state: ParseState) -> str:
    """Return an error message and the stack traceback as HTML."""
    heading = f"<p>{escape_text(message)}</p>"
    if not trace:
        return f"{heading}<p>{escape_text(state.messages.text('scribunto-common-no-details'))}</p>"
    items = "".join(
        f"<li><strong>{_location_link(location, state)}</strong>:{_function_name(name, state)}</li>"
        for location, name in trace
    )
    title = escape_text(state.messages.text("scribunto-common-backtrace"))
    return f'{heading}<p>{title}</p><ol class="scribunto-trace">{items}</ol>'


def _location_link(location: str, state: ParseState) -> str:
    """Return a location as HTML, with a link if it is in a module."""
    module, _, line = location.rpartition(":")
    title = state.site.titles.try_parse(module) if line.isdigit() else None
    if title is None or not title.ns:
        return escape_text(location)
    url = escape_attribute(f"{state.site.page_url(title, 'action=edit')}#mw-ce-l{line}")
    return f'<a href="{url}">{escape_text(location)}</a>'


def _function_name(name: str, state: ParseState) -> str:
    """Return the words for a function, after a space; a question mark follows no other one."""
    if name == "in main chunk":
        words = state.messages.text("scribunto-lua-in-main")
    elif match := _FUNCTION.fullmatch(name):
        words = state.messages.text("scribunto-lua-in-function", Plain(match[1]))
    else:
        words = name
    return f"&#160;{words}" if words == "?" else f" {escape_text(words)}"


def well_formed(text: str) -> str:
    """Return the text with each NUL and each byte that is not UTF-8 replaced by U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
