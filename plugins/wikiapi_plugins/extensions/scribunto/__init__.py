"""Scribunto: ``{{#invoke:}}``, modules written in Lua, the pages of their source, and a console.

``pip install wikiapi-server[lua]`` installs Lua. It runs in separate worker processes: if a module
does not terminate, or exhausts its memory, the other modules of the page fail as well, but the
server is not affected. The setting ``cpu_seconds`` of ``[extensions.scribunto]`` is the CPU time
that the modules of a page may use; the default is 7 seconds.

To evaluate a call, `invoke` looks up the module and the `session` of the rendering, which runs the
module in a worker from the pool (`process`; ``worker/main`` is the worker's side). The Lua
libraries (``lua/``) call host functions in the server by name; `host` has a file for each library.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import ResourceModule
from wikiapi.site import Site
from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.scribunto import invoke, modulepage
from wikiapi_plugins.extensions.scribunto.console import ScribuntoConsole
from wikiapi_plugins.extensions.scribunto.process import LuaMissing, lua_folder

FOLDER = Path(__file__).parent

_NAME = "scribunto"
_CPU_SECONDS = 7.0


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    seconds = float(site.config.extensions.get(_NAME, {}).get("cpu_seconds", _CPU_SECONDS))
    try:
        lua_folder()
    except LuaMissing as error:
        logging.getLogger(__name__).warning("modules cannot run: %s", error)
    return (
        BundledExtension(
            "Scribunto",
            description="Modules written in Lua",
            functions=(invoke.Invoker(site, seconds).declaration(),),
            content_models=(modulepage.DECLARATION,),
            actions=(ScribuntoConsole,),
            messages=FOLDER / "messages",
            resources=lambda: (ResourceModule("ext.scribunto.errors"),),
        ),
    )


@hookimpl
def on_rendering_ended(state: ParseState) -> None:
    """Return the worker of the rendering to the pool."""
    invoke.close_session(state)
