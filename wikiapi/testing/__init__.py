"""Tools to test plugins and clients against a wiki with a few declared pages.

``make_site`` creates a wiki, ``ask`` sends requests to it in the same process, and ``live_server``
serves it on a port. With pytest, the fixture ``wiki`` does all of this, see
:mod:`wikiapi.testing.pytest_plugin`.

Names are imported lazily, because pytest imports this package whenever it starts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.testing.asking import Answer, ask, make_context
    from wikiapi.testing.client import ApiClient, RequestFailed
    from wikiapi.testing.clock import NOW, Clock
    from wikiapi.testing.declaration import (
        BotPassword,
        Declaration,
        DeclaredFile,
        DeclaredUser,
        Edit,
    )
    from wikiapi.testing.faults import Trouble, Write
    from wikiapi.testing.server import live_server
    from wikiapi.testing.sites import make_site
    from wikiapi.testing.wiki import Wiki, WikiMaker

_MODULES = {
    "asking": ("Answer", "ask", "make_context"),
    "client": ("ApiClient", "RequestFailed"),
    "clock": ("NOW", "Clock"),
    "declaration": ("BotPassword", "Declaration", "DeclaredFile", "DeclaredUser", "Edit"),
    "faults": ("Trouble", "Write"),
    "server": ("live_server",),
    "sites": ("make_site",),
    "wiki": ("Wiki", "WikiMaker"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "NOW",
    "Answer",
    "ApiClient",
    "BotPassword",
    "Clock",
    "Declaration",
    "DeclaredFile",
    "DeclaredUser",
    "Edit",
    "RequestFailed",
    "Trouble",
    "Wiki",
    "WikiMaker",
    "Write",
    "ask",
    "live_server",
    "make_context",
    "make_site",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
