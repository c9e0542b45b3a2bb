"""``{{#invoke:module|function|arguments}}``."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from wikiapi.site import Site
from wikiapi.title import MODULE
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    FunctionCall,
    ParserFunction,
    ParseState,
    PluginState,
    WikitextRegistries,
    escape_all,
)
from wikiapi_plugins.extensions.scribunto import errors
from wikiapi_plugins.extensions.scribunto.consoles import Consoles
from wikiapi_plugins.extensions.scribunto.errors import ScriptError, details_html
from wikiapi_plugins.extensions.scribunto.modules import ModuleHistory
from wikiapi_plugins.extensions.scribunto.pagefacts import site_facts
from wikiapi_plugins.extensions.scribunto.process import WorkerPool
from wikiapi_plugins.extensions.scribunto.session import Session

FUNCTION = "#invoke"
_CATEGORY = "scribunto-common-error-category"
_ERRORS_VARIABLE = "ScribuntoErrors"
_RESOURCE_MODULE = "ext.scribunto.errors"


class Invoker:
    """The parser function ``#invoke`` of one site."""

    def __init__(self, site: Site, cpu_seconds: float) -> None:
        """Create the function; ``cpu_seconds`` is the CPU time that a page's modules may use."""
        self._site = site
        self._cpu_seconds = cpu_seconds
        self._history = ModuleHistory()
        self.pool = WorkerPool()
        self.consoles = Consoles()

    def declaration(self) -> ParserFunction:
        """Return the declaration of the parser function."""
        return ParserFunction(FUNCTION, self, raw=True)

    def __call__(self, call: FunctionCall) -> str:
        """Return the text that the module's function returns, or an error message."""
        try:
            if len(call) < 2:
                raise ScriptError(errors.NO_FUNCTION_NAMED)
            function = call.expand(1)
            session = call.state.plugin(SESSION)
            namespace = call.site.namespaces.get(MODULE)
            prefix = namespace.prefix if namespace else "Module:"
            title = call.site.titles.try_parse(f"{prefix}{call.first}")
            module = session.modules.title(title.prefixed_text) if title else None
            if module is None or session.modules.text(module) is None:
                raise ScriptError(errors.NO_MODULE, ("", call.first))
            frame = call.frame.child(module, tuple(call.parts[1:]))
            return session.invoke(module, function, frame, call.frame)
        except ScriptError as error:
            # The traceback is stored for the scripts of the page.
            state = call.state
            message = errors.error_text(error, state.site)
            html = details_html(message, error.trace, state)
            state.budget.keep(html)
            error_id = hashlib.sha1(
                html.encode("utf-8", "replace"), usedforsecurity=False
            ).hexdigest()[-8:]
            state.notices.add_tracking_category(_CATEGORY)
            output = state.output
            error_ids = output.js_config_vars.setdefault(_ERRORS_VARIABLE, {})
            if isinstance(error_ids, dict):
                error_ids[error_id] = True
            output.js_config_vars[f"{_ERRORS_VARIABLE}-{error_id}"] = html
            output.modules.setdefault(_RESOURCE_MODULE)
            css = f"scribunto-error mw-scribunto-error-{error_id}"
            text = escape_all(message)
            return f'<strong class="error"><span class="{css}">{text}</span></strong>'

    def new_session(self, state: ParseState) -> Session:
        """Create the Lua session of a rendering."""
        return Session(state, self.pool, self._cpu_seconds, lambda: self._site_facts, self._history)

    @cached_property
    def _site_facts(self) -> Mapping[str, Any]:
        return site_facts(self._site)


def find_invoker(site: Wiki) -> Invoker:
    """Return the ``#invoke`` function of a wiki.

    Raises:
        LookupError: the wiki has none.
    """
    declared = site.derived(WikitextRegistries).function(FUNCTION)
    if declared is None or not isinstance(declared.function, Invoker):
        raise LookupError(FUNCTION)
    return declared.function


SESSION: PluginState[Session] = PluginState(
    lambda state: find_invoker(state.site).new_session(state)
)
"""The Lua session of a rendering."""


def close_session(state: ParseState) -> None:
    """Close the Lua session of a rendering, if it has one."""
    session = state.pop_plugin(SESSION)
    if session is not None:
        session.close()
