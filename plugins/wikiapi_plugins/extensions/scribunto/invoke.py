"""``{{#invoke:module|function|arguments}}``."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from wikiapi.site import Site
from wikiapi.title import MODULE
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, escape_all
from wikiapi_plugins.extensions.scribunto import errors
from wikiapi_plugins.extensions.scribunto.consoles import Consoles
from wikiapi_plugins.extensions.scribunto.errors import ScriptError, add_figures, details
from wikiapi_plugins.extensions.scribunto.host.modules import module_title, used_text
from wikiapi_plugins.extensions.scribunto.pagefacts import site_facts
from wikiapi_plugins.extensions.scribunto.prefetch import ModuleMemory
from wikiapi_plugins.extensions.scribunto.process import WorkerPool
from wikiapi_plugins.extensions.scribunto.session import Session

NAME = "scribunto"
FUNCTION = "#invoke"
_CATEGORY = "scribunto-common-error-category"
_ERRORS = "ScribuntoErrors"
_RESOURCES = "ext.scribunto.errors"


class Invoker:
    """``#invoke`` on one site."""

    def __init__(self, site: Site, cpu_seconds: float) -> None:
        """Start without workers; the modules of a page may use so much CPU time."""
        self._site = site
        self.pool = WorkerPool()
        self.consoles = Consoles()
        self._cpu_seconds = cpu_seconds
        self._memory = ModuleMemory()

    @cached_property
    def _site_facts(self) -> Mapping[str, Any]:
        return site_facts(self._site)

    def declaration(self) -> ParserFunction:
        """The parser function."""
        return ParserFunction(FUNCTION, self, raw=True)

    def __call__(self, call: FunctionCall) -> str:
        """The text that the function returns, or what went wrong."""
        session = self.session(call.state)
        try:
            return _run(session, call)
        except ScriptError as error:
            return _shown(error, call.state)

    def session(self, state: ParseState) -> Session:
        """The Lua of a rendering."""
        session = state.plugin_state.get(NAME)
        if not isinstance(session, Session):
            session = state.plugin_state[NAME] = Session(
                state, self.pool, self._cpu_seconds, lambda: self._site_facts, self._memory
            )
        return session


def end(state: ParseState) -> None:
    """A rendering has ended: let go of its worker and report what it used."""
    session = state.plugin_state.pop(NAME, None)
    if isinstance(session, Session):
        session.close()
        add_figures(session)


def _run(session: Session, call: FunctionCall) -> str:
    if len(call) < 2:
        raise ScriptError(errors.NO_FUNCTION_NAMED)
    function = call.expand(1)
    title = call.site.titles.try_parse(f"{_prefix(call)}{call.first}")
    module = module_title(session, title.prefixed_text) if title else None
    if module is None or used_text(session, module) is None:
        raise ScriptError(errors.NO_MODULE, ("", call.first))
    frame = call.frame.child(module, tuple(call.parts[1:]))
    return session.invoke(module, function, frame, call.frame)


def _prefix(call: FunctionCall) -> str:
    namespace = call.site.namespaces.get(MODULE)
    return namespace.prefix if namespace else "Module:"


def _shown(error: ScriptError, state: ParseState) -> str:
    """The error as it stands in the page; what is behind it is for the page's scripts to show."""
    message = state.message(error.key, *error.params)
    html = details(message, error.trace, state)
    state.budget.keep(html)
    number = hashlib.sha1(html.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[-8:]
    state.add_tracking_category(_CATEGORY)
    output = state.output
    known = output.js_config_vars.setdefault(_ERRORS, {})
    if isinstance(known, dict):
        known[number] = True
    output.js_config_vars[f"{_ERRORS}-{number}"] = html
    output.modules.setdefault(_RESOURCES)
    css = f"scribunto-error mw-scribunto-error-{number}"
    return f'<strong class="error"><span class="{css}">{escape_all(message)}</span></strong>'
