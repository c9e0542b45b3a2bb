"""The functions that Lua calls in the server: one file for each library of ``mw``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wikiapi.wikitext import Frame, ParseState
from wikiapi_plugins.extensions.scribunto.errors import Refusal, well_formed
from wikiapi_plugins.extensions.scribunto.host.basics import BasicLibrary
from wikiapi_plugins.extensions.scribunto.host.frames import FrameLibrary
from wikiapi_plugins.extensions.scribunto.host.languages import LanguageLibrary
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.extensions.scribunto.host.messages import MessageLibrary
from wikiapi_plugins.extensions.scribunto.host.modules import ModuleLibrary
from wikiapi_plugins.extensions.scribunto.host.sites import SiteLibrary
from wikiapi_plugins.extensions.scribunto.host.texts import TextLibrary
from wikiapi_plugins.extensions.scribunto.host.titles import TitleLibrary
from wikiapi_plugins.extensions.scribunto.host.uris import UriLibrary
from wikiapi_plugins.extensions.scribunto.modules import PageModules


class HostResult(NamedTuple):
    """The result of a host function."""

    value: Any
    cacheable: bool
    """Whether the worker may use it for other pages as well."""


class _Declared(NamedTuple):
    library: Library
    function: HostFunction


class Host:
    """The libraries of one rendering, called by the names of their functions."""

    def __init__(self, state: ParseState, frames: list[Frame], modules: PageModules) -> None:
        """Make the libraries.

        Args:
            state: the rendering.
            frames: the frames that Lua refers to by their index; Lua may add to them.
            modules: the modules of the page.
        """
        libraries = (
            BasicLibrary(state),
            FrameLibrary(state, frames),
            LanguageLibrary(state),
            MessageLibrary(state),
            ModuleLibrary(state, modules),
            SiteLibrary(state),
            TextLibrary(state),
            TitleLibrary(state, modules),
            UriLibrary(state),
        )
        self._functions = {
            function.name: _Declared(library, function)
            for library in libraries
            for function in library.functions
        }

    def call(self, name: str, arguments: Sequence[Any]) -> HostResult:
        """Return the result of a function.

        Raises:
            Refusal: it has none, or the worker sends what wikiapi's Lua code never does.
        """
        declared = self._functions.get(name)
        checked = [well_formed(each) if isinstance(each, str) else each for each in arguments]
        if declared is None or not declared.function.accepts(checked):
            raise Refusal(f"{name}: bad arguments")
        library, function = declared
        return HostResult(function.method(library, *checked), function.is_cacheable(checked))
