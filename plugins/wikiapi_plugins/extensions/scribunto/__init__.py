"""Scribunto: ``{{#invoke:}}``, modules written in Lua, the pages of their source, and a console.

Lua comes with ``pip install wikiapi-server[lua]``. It runs in worker processes that contain nothing
but Lua: a module that does not end, or takes too much memory, costs its page the rest of its
modules and the server nothing. The setting ``cpu_seconds`` of ``[extensions.scribunto]`` is the CPU
time that the modules of a page may use, 7 seconds unless it is set.

The way of a call: `invoke` finds the module and the rendering's `session`, which runs it in a
worker of the pool (`process`, and ``worker/main`` on the other side). Lua's libraries (``lua/``)
call functions of the server by name; `host` has a file for each library.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from wikiapi.api import Action
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule
from wikiapi.site import Site
from wikiapi.wikitext import ContentModel, ParserFunction, ParseState
from wikiapi_plugins.extensions.scribunto import invoke, modulepage
from wikiapi_plugins.extensions.scribunto.console import ScribuntoConsole
from wikiapi_plugins.extensions.scribunto.process import LuaMissing, lua_folder

_NAME = "scribunto"
_CPU_SECONDS = 7.0


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Return ``#invoke``."""
    settings = site.config.extensions.get(_NAME, {})
    try:
        lua_folder()
    except LuaMissing as error:
        logging.getLogger(__name__).warning("modules cannot run: %s", error)
    return (invoke.Invoker(site, float(settings.get("cpu_seconds", _CPU_SECONDS))).declaration(),)


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """Return ``action=scribunto-console``."""
    return (ScribuntoConsole,)


@hookimpl
def register_content_models() -> Iterable[ContentModel]:
    """Return the content model of modules."""
    return (modulepage.DECLARATION,)


@hookimpl
def on_rendering_ended(state: ParseState) -> None:
    """Return its worker to the pool."""
    invoke.end(state)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return errors, and texts of modules' pages."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """The module that error messages name."""
    return (ResourceModule("ext.scribunto.errors"),)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("Scribunto", "parserhook", "Modules written in Lua"),)
